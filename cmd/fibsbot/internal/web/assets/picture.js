// Pictures that the browser makes of drawings: PNG, and a match as animated GIF.

import { Gif, Palette } from "./gif.js";

const pngWidth = 1440;

// Bounds of a GIF: messengers refuse larger files.
const filmWidths = [480, 360, 270];
const mostFrames = 300;
const mostBytes = 8e6;
const shownFor = 200; // hundredths of a second
const sampled = 12; // pictures from which the colours are taken

/** keep gives a file to the reader.
    @param {Blob} blob
    @param {string} name */
export function keep(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** imageOf is a drawing that can be put on a canvas.
    @param {string} svg */
async function imageOf(svg) {
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(svg);
  await image.decode();
  return image;
}

/** png is a drawing as PNG.
    @param {string} svg
    @returns {Promise<Blob>} */
export async function png(svg) {
  const image = await imageOf(svg);
  const canvas = document.createElement("canvas");
  canvas.width = pngWidth;
  canvas.height = Math.round((pngWidth * image.naturalHeight) / image.naturalWidth);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob((b) => (b ? done(b) : fail(new Error("no memory for the picture"))), "image/png"),
  );
}

/** picked are at most so many of a list, evenly, with the first and the last.
    @template T
    @param {T[]} list
    @param {number} most
    @returns {T[]} */
export const picked = (list, most) =>
  list.length <= most
    ? list
    : Array.from({ length: most }, (_x, i) => list[Math.round((i * (list.length - 1)) / (most - 1))]);

/** film makes a GIF of drawings. Where it gets too large it is made again, narrower.
    @param {string[]} drawings
    @param {{signal: AbortSignal, told: (done: number, all: number) => void}} how told hears of the progress
    @returns {Promise<{file: Blob, frames: number}>} */
export async function film(drawings, how) {
  const list = picked(drawings, mostFrames);
  for (const width of filmWidths) {
    const gif = await filmed(list, width, how);
    if (gif) return { file: gif.file(), frames: list.length };
  }
  throw new Error(`larger than ${mostBytes} bytes`);
}

/** filmed is the GIF of that width, or null if it is too large. */
async function filmed(list, width, { signal, told }) {
  const box = (svg) => /viewBox="0 0 (\d+) (\d+)"/.exec(svg).slice(1).map(Number);
  const height = Math.round(Math.max(...list.map((svg) => (width * box(svg)[1]) / box(svg)[0])));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.fillStyle = /class="bg-frame"[^>]* fill="(#\w+)"/.exec(list[0])[1]; // where a caption is shorter
  const pixels = async (svg) => {
    signal.throwIfAborted();
    const image = await imageOf(svg);
    pen.fillRect(0, 0, width, height);
    pen.drawImage(image, 0, 0, width, (width * image.naturalHeight) / image.naturalWidth);
    return pen.getImageData(0, 0, width, height).data;
  };
  const samples = [];
  for (const svg of picked(list, sampled)) samples.push(await pixels(svg));
  const gif = new Gif(width, height, new Palette(samples));
  for (const [i, svg] of list.entries()) {
    gif.add(await pixels(svg), shownFor);
    if (gif.size > mostBytes) return null;
    told(i + 1, list.length);
    await new Promise((go) => setTimeout(go)); // the page stays alive
  }
  return gif;
}
