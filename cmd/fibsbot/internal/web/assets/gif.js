// Animated GIF: colours, LZW and the file.

/** mostColours is how many colours a picture has; one more says that a pixel stays as it was. */
const mostColours = 255;
const same = mostColours;

/** key names the box of like colours that a colour is in.
    @param {Uint8ClampedArray} p
    @param {number} at */
const key = (p, at) => ((p[at] >> 3) << 10) | ((p[at + 1] >> 3) << 5) | (p[at + 2] >> 3);

/** Palette holds the colours that pictures use most. */
export class Palette {
  /** @param {Uint8ClampedArray[]} pictures their pixels: red, green, blue, opacity */
  constructor(pictures) {
    const sums = new Map();
    for (const p of pictures) {
      for (let i = 0; i < p.length; i += 4) {
        let s = sums.get(key(p, i));
        if (!s) sums.set(key(p, i), (s = [0, 0, 0, 0]));
        s[0]++;
        for (let c = 0; c < 3; c++) s[c + 1] += p[i + c];
      }
    }
    const used = [...sums.values()].sort((a, b) => b[0] - a[0]).slice(0, mostColours);
    /** @type {number[][]} */
    this.colours = used.map(([n, ...rgb]) => rgb.map((v) => Math.round(v / n)));
    this.known = new Int16Array(1 << 15).fill(-1); // the colour of a box
  }

  /** nearest is the number of the colour that is most like a pixel's.
      @param {Uint8ClampedArray} p
      @param {number} at */
  nearest(p, at) {
    const k = key(p, at);
    if (this.known[k] >= 0) return this.known[k];
    let best = 0;
    let least = Infinity;
    this.colours.forEach(([r, g, b], i) => {
      const d = (r - p[at]) ** 2 + (g - p[at + 1]) ** 2 + (b - p[at + 2]) ** 2;
      if (d < least) [least, best] = [d, i];
    });
    return (this.known[k] = best);
  }

  /** indexed is a picture in numbers of colours.
      @param {Uint8ClampedArray} p */
  indexed(p) {
    const out = new Uint8Array(p.length / 4);
    for (let i = 0; i < out.length; i++) out[i] = this.nearest(p, 4 * i);
    return out;
  }
}

/** lzw packs bytes as GIF has them: codes of 9 to 12 bits.
    @param {Uint8Array} bytes */
export function lzw(bytes) {
  const clear = 256;
  const end = 257;
  const codes = new Uint16Array(1 << 20); // of a string and the byte after it, 0 for none
  /** @type {number[]} */
  const out = [];
  let held = 0;
  let bits = 0;
  let width = 9;
  let next = end + 1;
  const put = (code) => {
    held |= code << bits;
    bits += width;
    for (; bits >= 8; bits -= 8) {
      out.push(held & 255);
      held >>>= 8;
    }
  };
  put(clear);
  let now = bytes[0];
  for (let i = 1; i < bytes.length; i++) {
    const at = (now << 8) | bytes[i];
    if (codes[at]) {
      now = codes[at];
      continue;
    }
    put(now);
    if (next === 4096) {
      put(clear);
      codes.fill(0);
      width = 9;
      next = end + 1;
    } else {
      if (next === 1 << width) width++;
      codes[at] = next++;
    }
    now = bytes[i];
  }
  put(now);
  if (next === 1 << width && width < 12) width++;
  put(end);
  if (bits) out.push(held & 255);
  return Uint8Array.from(out);
}

/** word is a number of 16 bits. */
const word = (n) => [n & 255, n >> 8];

/** Gif is a file to which pictures are added, all as large as the first. */
export class Gif {
  /** @param {number} width
      @param {number} height
      @param {Palette} palette */
  constructor(width, height, palette) {
    this.width = width;
    this.height = height;
    this.palette = palette;
    /** @type {Uint8Array} */
    this.before = null;
    const table = new Uint8Array(3 * 256);
    palette.colours.forEach((rgb, i) => table.set(rgb, 3 * i));
    const text = (s) => [...s].map((c) => c.charCodeAt(0));
    const loop = [0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    /** @type {Uint8Array<ArrayBuffer>[]} */
    this.parts = [Uint8Array.from([...text("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0, ...table, ...loop])];
    this.size = this.parts[0].length;
  }

  /** add adds a picture, which is shown for so many hundredths of a second. Only what changes is kept.
      @param {Uint8ClampedArray} pixels
      @param {number} hundredths */
  add(pixels, hundredths) {
    const now = this.palette.indexed(pixels);
    const { x0, y0, x1, y1 } = this.changed(now);
    const part = new Uint8Array((x1 - x0) * (y1 - y0));
    for (let y = y0, to = 0; y < y1; y++) {
      for (let x = x0; x < x1; x++, to++) {
        const at = y * this.width + x;
        part[to] = this.before?.[at] === now[at] ? same : now[at];
      }
    }
    this.before = now;
    const packed = lzw(part);
    const file = [0x21, 0xf9, 4, 0x05, ...word(hundredths), same, 0];
    file.push(0x2c, ...word(x0), ...word(y0), ...word(x1 - x0), ...word(y1 - y0), 0, 8);
    for (let i = 0; i < packed.length; i += 255) {
      const block = packed.subarray(i, i + 255);
      file.push(block.length, ...block);
    }
    file.push(0);
    this.parts.push(Uint8Array.from(file));
    this.size += file.length;
  }

  /** changed is the rectangle that differs from the picture before, one pixel at least.
      @param {Uint8Array} now */
  changed(now) {
    const { width, height, before } = this;
    if (!before) return { x0: 0, y0: 0, x1: width, y1: height };
    let [x0, y0, x1, y1] = [width, height, 0, 0];
    for (let i = 0; i < now.length; i++) {
      if (now[i] === before[i]) continue;
      const x = i % width;
      const y = (i - x) / width;
      [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x + 1), Math.min(y0, y), y + 1];
    }
    return x1 ? { x0, y0, x1, y1 } : { x0: 0, y0: 0, x1: 1, y1: 1 };
  }

  /** file is the whole file. */
  file() {
    return new Blob([...this.parts, Uint8Array.of(0x3b)], { type: "image/gif" });
  }
}
