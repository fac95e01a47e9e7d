// The inverse of pack.go: puts the weights of a program's nets back in order.

/** unpack returns the program of what was packed, as bytes. */
export function unpack(packed) {
  const length = new DataView(packed).getUint32(0, true);
  const { layers, floats: spans } = JSON.parse(new TextDecoder().decode(new Uint8Array(packed, 4, length)));
  const program = new Uint8Array(packed, 4 + length);
  const known = new Map(); // units by their length
  for (const { at, order, shift, units, floats, second, grid, like } of layers ?? []) {
    const rows = order.length;
    const size = 2 * rows * units;
    const all = known.get(rows) ?? [];
    known.set(rows, all);
    const stored = new Uint16Array(joined(program, at, size, 2));
    const out = new Int16Array(rows * units);
    const own = like.map(() => new Int16Array(rows));
    const others = like.map((k) => all[k]);
    order.forEach((r, i) => {
      for (let u = 0; u < units; u++) {
        const v = stored[i * units + u]; // 0, 1, 2, 3... for 0, -1, 1, -2...
        own[u][r] = (((v >> 1) ^ -(v & 1)) << shift[r]) + (others[u]?.[r] ?? 0);
        out[r * units + u] = own[u][r];
      }
    });
    all.push(...own);
    program.set(new Uint8Array(out.buffer), at);
    const numbers = joined(program, at + size, 4 * floats, 4);
    const view = new DataView(numbers);
    for (let i = units; i < units + second; i++) {
      const v = view.getUint32(4 * i, true);
      view.setFloat32(4 * i, ((v >>> 1) ^ -(v & 1)) * 2 ** -grid, true);
    }
    program.set(new Uint8Array(numbers), at + size);
  }
  for (const { at, count } of spans ?? []) program.set(new Uint8Array(joined(program, at, 4 * count, 4)), at);
  return program;
}

/** joined are numbers of which the first bytes of all come first, then the second and so on. */
function joined(bytes, at, length, size) {
  const out = new Uint8Array(length);
  const n = length / size;
  for (let k = 0; k < size; k++) {
    for (let i = 0; i < n; i++) out[i * size + k] = bytes[at + k * n + i];
  }
  return out.buffer;
}
