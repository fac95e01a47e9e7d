// Dice and plays entered by hand: for dice thrown on a real board, and for recording the
// match of two people.

import { _, h } from "./site.js";

let first = 0; // the first die of a roll

/** dicePad makes the buttons of a roll; done receives the two dice. */
export function dicePad(done, redraw) {
  return [1, 2, 3, 4, 5, 6].map((n) => h("button", {
    type: "button", class: "die" + (first === n ? " primary" : ""), "data-key": n, "aria-keyshortcuts": n, "aria-label": first ? _`Second die ${n}` : _`First die ${n}`,
    onclick: () => {
      if (!first) {
        first = n;
        return redraw();
      }
      const dice = [first, n];
      first = 0;
      return done(dice);
    },
  }, String(n)));
}

/** half is the first die of a roll that waits for its second, 0 without one. */
export const half = () => first;
export const forget = () => { first = 0; };

/** readLine reads what a person writes down: "31: 8/5 6/5", "31", "8/5 6/5", "double", "take",
    "pass", "resign 2". It returns acts in order, or null. */
export function readLine(text) {
  const line = text.trim().toLowerCase();
  const word = /^(double|redouble|take|pass|drop|beaver|raccoon|accept|reject|next|resigns?( [123])?)$/.exec(line);
  if (word) {
    const kind = { redouble: "double", pass: "drop" }[word[1]] ?? word[1].replace(/^resigns?.*/, "resign");
    return [kind === "resign" ? { kind, level: Number(word[2] ?? 1) } : { kind }];
  }
  const m = /^(?:([1-6])[-,: ]?([1-6])(?![\d/])\s*:?\s*)?(.*)$/.exec(line);
  const out = [];
  if (m[1]) out.push({ kind: "roll", dice: [Number(m[1]), Number(m[2])] });
  if (m[3]) {
    if (!/^[-\d/*()a-z' .,]+$/.test(m[3]) || !/\/|^(cannot|can't|no) ?move$|^-+$/.test(m[3])) return null;
    out.push({ kind: "move", play: /\//.test(m[3]) ? m[3] : "" });
  }
  return out.length ? out : null;
}

/** correction asks in the dialog how an act was; it returns { dice, play }, or null. */
export function correction(a) {
  const d = document.getElementById("fix"), f = d.querySelector("form").elements;
  const dice = a.kind === "move" ? a.rolled : a.dice;
  f.dice.value = dice ? dice.join("") : "";
  f.dice.disabled = !dice;
  f.play.value = a.play ?? "";
  f.play.closest("label").hidden = a.kind !== "move";
  d.returnValue = "";
  d.showModal();
  f.dice.select();
  return new Promise((done) => d.addEventListener("close", () => {
    if (d.returnValue !== "save") return done(null);
    const out = {}, want = f.dice.value.replace(/\D/g, "");
    if (dice && want !== dice.join("")) out.dice = [...want].map(Number);
    if (a.kind === "move" && f.play.value.trim() !== (a.play ?? "")) out.play = f.play.value.trim();
    return done(Object.keys(out).length ? out : null);
  }, { once: true }));
}
