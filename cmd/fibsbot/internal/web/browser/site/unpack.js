// The inverse of pack.go: puts the weights of a program's nets back in order.

/** unpack returns the program of what was packed, as bytes. */
export function unpack(packed) {
  const length = new DataView(packed).getUint32(0, true);
  const { layers, floats: spans } = JSON.parse(new TextDecoder().decode(new Uint8Array(packed, 4, length)));
  const program = new Uint8Array(packed, 4 + length);
  const known = new Map(); // units by their length
  for (const { at, shift, rows, units, floats, like } of layers ?? []) {
    const size = 2 * rows * units, all = known.get(rows) ?? [];
    known.set(rows, all);
    const stored = new Int16Array(joined(program, at, size, 2)), own = [], out = new Int16Array(rows * units);
    for (let u = 0; u < units; u++) {
      const unit = stored.subarray(u * rows, (u + 1) * rows), other = all[like[u]];
      for (let r = 0; r < rows; r++) {
        const v = unit[r] & 0xffff; // 0, 1, 2, 3... for 0, -1, 1, -2...
        unit[r] = (v >> 1 ^ -(v & 1)) << shift;
        if (other) unit[r] += other[r];
        out[r * units + u] = unit[r];
      }
      own.push(unit);
    }
    all.push(...own);
    program.set(new Uint8Array(out.buffer), at);
    program.set(new Uint8Array(joined(program, at + size, 4 * floats, 4)), at + size);
  }
  for (const { at, count } of spans ?? []) program.set(new Uint8Array(joined(program, at, 4 * count, 4)), at);
  return program;
}

/** joined are numbers of which the first bytes of all come first, then the second and so on. */
function joined(bytes, at, length, size) {
  const out = new Uint8Array(length), n = length / size;
  for (let k = 0; k < size; k++) {
    for (let i = 0; i < n; i++) out[i * size + k] = bytes[at + k * n + i];
  }
  return out.buffer;
}
