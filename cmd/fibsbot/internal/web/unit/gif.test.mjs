// Pictures as GIF: colours, LZW and the parts of the file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gif, lzw, Palette } from "../assets/gif.js";
import { picked } from "../assets/picture.js";

/** unpacked reads what lzw writes, as decoders do. */
function unpacked(bytes) {
  const out = [];
  let [at, width, table, before] = [0, 9, [], null];
  const reset = () => {
    table = Array.from({ length: 256 }, (_, i) => [i]);
    table.push(null, null);
    [width, before] = [9, null];
  };
  for (;;) {
    let code = 0;
    for (let i = 0; i < width; i++, at++) code |= ((bytes[at >> 3] >> (at & 7)) & 1) << i;
    if (code === 257) return out;
    if (code === 256) {
      reset();
      continue;
    }
    const entry = table[code] ?? [...before, before[0]];
    if (before && table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << width && width < 12) width++;
    for (const b of entry) out.push(b);
    before = entry;
  }
}

const noise = (n, colours) => {
  let x = 1;
  return Uint8Array.from({ length: n }, () => (x = (x * 48271) % 2147483647) % colours);
};

test("what lzw packs comes back", () => {
  for (const bytes of [Uint8Array.of(7), new Uint8Array(40_000), noise(30_000, 256), noise(90_000, 3)]) {
    assert.deepEqual(Uint8Array.from(unpacked(lzw(bytes))), bytes);
  }
  for (let n = 1; n < 1200; n += 7) assert.equal(unpacked(lzw(noise(n, 256))).length, n); // where codes grow
  assert.ok(lzw(new Uint8Array(40_000)).length < 600);
});

const pixels = (...rgb) => Uint8ClampedArray.from(rgb.flatMap((c) => [...c, 255]));

test("the colours most used are kept, others become the nearest", () => {
  const p = new Palette([pixels([255, 0, 0], [255, 0, 0], [0, 0, 255])]);
  assert.deepEqual(p.colours, [
    [255, 0, 0],
    [0, 0, 255],
  ]);
  assert.deepEqual([...p.indexed(pixels([200, 30, 30], [0, 10, 200]))], [0, 1]);
  const many = new Palette([Uint8ClampedArray.from({ length: 4 * 4096 }, (_, i) => (i * 37) % 256)]);
  assert.ok(many.colours.length <= 255);
});

test("a later picture holds what changed", async () => {
  const first = pixels([255, 0, 0], [255, 0, 0], [0, 0, 255], [0, 0, 255]);
  const second = pixels([255, 0, 0], [0, 0, 255], [0, 0, 255], [0, 0, 255]);
  const gif = new Gif(2, 2, new Palette([first]));
  const sizes = [first, second, second].map((p) => (gif.add(p, 150), gif.parts.at(-1)));
  const place = (part) => [...part.subarray(9, 17)];
  assert.deepEqual(sizes.map(place), [
    [0, 0, 0, 0, 2, 0, 2, 0],
    [1, 0, 0, 0, 1, 0, 1, 0],
    [0, 0, 0, 0, 1, 0, 1, 0],
  ]);
  const file = new Uint8Array(await gif.file().arrayBuffer());
  assert.equal(String.fromCharCode(...file.subarray(0, 6)), "GIF89a");
  assert.equal(file.length, gif.size + 1);
});

test("of a long match some pictures are left out", () => {
  const list = Array.from({ length: 1000 }, (_, i) => i);
  const some = picked(list, 300);
  assert.deepEqual([some.length, some[0], some.at(-1), new Set(some).size], [300, 0, 999, 300]);
  assert.equal(picked(list, 1000), list);
});
