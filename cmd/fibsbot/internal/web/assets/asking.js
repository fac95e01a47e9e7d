// Questions that a page puts before it acts, in its dialog "ask".

import { $, _, h } from "./site.js";

/** question asks with a dialog; the answer is the value of a button. */
export function question(title, text, buttons) {
  const d = $("ask");
  $("ask-title").textContent = title;
  $("ask-text").textContent = text;
  $("ask-buttons").replaceChildren(
    ...buttons.map(([value, label, kind]) => h("button", { value, class: kind }, label)),
  );
  d.returnValue = "";
  d.showModal();
  return new Promise((done) => d.addEventListener("close", () => done(d.returnValue), { once: true }));
}

/** resignation asks how many games are offered, 0 for none. */
export const resignation = async () =>
  Number(
    await question(_`Resign?`, _`Resign how much?`, [
      ["", _`Play on`, "primary"],
      ["1", _`A single game`],
      ["2", _`A gammon`],
      ["3", _`A backgammon`],
    ]),
  );
