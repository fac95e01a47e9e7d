// Quiet sounds, made by the browser, and short vibrations where there are any. Both are off
// until they are chosen.

import { options } from "./playoptions.js";

let context = null;

/** play makes a sound of [frequency, start, length, loudness] pieces in seconds, if sounds are
    wanted; frequency 0 is a knock. */
function play(...pieces) {
  if (options.sound()) ring(...pieces);
}

function ring(...pieces) {
  try {
    context ??= new AudioContext();
    context.resume();
    for (const [frequency, start, length, loud] of pieces) {
      const at = context.currentTime + start;
      const gain = context.createGain();
      gain.gain.setValueAtTime(loud, at);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
      gain.connect(context.destination);
      const source = frequency ? context.createOscillator() : context.createBufferSource();
      if (frequency) source.frequency.value = frequency;
      else source.buffer = noise(length);
      source.connect(gain);
      source.start(at);
      source.stop(at + length);
    }
  } catch {
    /* without sound */
  }
}

/** noise is a fading rustle. */
function noise(length) {
  const n = Math.ceil(context.sampleRate * length);
  const out = context.createBuffer(1, n, context.sampleRate);
  const data = out.getChannelData(0);
  for (let i = 0; i < n; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / n) ** 3;
  return out;
}

function buzz(...pattern) {
  if (options.vibrate() && navigator.vibrate) navigator.vibrate(pattern);
}

/** sounds has one for each event of the table. */
export const sounds = {
  checker() {
    play([0, 0, 0.05, 0.12], [170, 0, 0.06, 0.08]);
    buzz(8);
  },
  dice() {
    play([0, 0, 0.05, 0.08], [0, 0.07, 0.05, 0.1], [0, 0.15, 0.07, 0.06]);
    buzz(10, 40, 10);
  },
  cube() {
    play([330, 0, 0.18, 0.06], [440, 0.12, 0.22, 0.06]);
    buzz(25);
  },
  bell() {
    if (options.bell()) ring([660, 0, 0.35, 0.07], [880, 0.12, 0.5, 0.05]);
  },
  end(won) {
    play([won ? 392 : 330, 0, 0.2, 0.06], [won ? 523 : 262, 0.16, 0.35, 0.06]);
    buzz(20, 60, 20);
  },
};

/** soundOf is the sound of an act. */
export function soundOf(a) {
  if (a.kind === "move" && a.play) sounds.checker();
  else if (["roll", "start", "tie"].includes(a.kind) && a.dice) sounds.dice();
  else if (["double", "beaver", "raccoon", "take", "drop"].includes(a.kind)) sounds.cube();
}
