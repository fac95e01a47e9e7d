// How boards are shown on all pages: one setting, kept in this browser. It stands as data-
// attributes on the root for styles, and as an object for scripts. "Me" is the reader: at
// the bottom with the light checkers unless the setting says otherwise.

import { $, _, h, remember, remembered } from "./site.js";

const choices = {
  mine: ["light", "dark"],
  colours: ["felt", "wood", "blue", "grey", "contrast"],
  numbers: ["mine", "roll", "none"],
};
const usual = { turned: false, mirrored: false, mine: "light", colours: "felt", numbers: "mine" };
const root = document.documentElement;

let now = read();
paint();

function read() {
  let saved = {};
  try {
    saved = JSON.parse(remembered("board", "{}")) ?? {};
  } catch {
    /* damaged: as usual */
  }
  const out = { ...usual };
  for (const key of ["turned", "mirrored"]) out[key] = saved[key] === true;
  for (const [key, list] of Object.entries(choices)) if (list.includes(saved[key])) out[key] = saved[key];
  return out;
}

function paint() {
  root.dataset.mine = now.mine;
  root.dataset.board = now.colours;
}

/** view returns { turned, mirrored, mine, colours, numbers }: turned has me at the top,
    mirrored bears off at the left. */
export const view = () => now;

/** onView calls fn after each change, until it returns false. */
export function onView(fn) {
  const call = () => {
    if (fn(now) === false) removeEventListener("boardview", call);
  };
  addEventListener("boardview", call);
}

/** setView changes part of the setting, on all boards of all open pages. */
export function setView(part) {
  now = { ...now, ...part };
  remember("board", JSON.stringify(now));
  paint();
  dispatchEvent(new Event("boardview"));
}

addEventListener("storage", (e) => {
  if (e.key !== "board") return;
  now = read();
  paint();
  dispatchEvent(new Event("boardview"));
});

/** viewControls makes the controls of the setting. */
export function viewControls() {
  const toggle = (key, text) => {
    const b = h("button", { type: "button", "data-view": key, onclick: () => setView({ [key]: !now[key] }) }, text);
    const mark = () => b.setAttribute("aria-pressed", String(now[key]));
    onView(mark);
    mark();
    return b;
  };
  const choice = (key, label, names) => {
    const list = h(
      "select",
      { "data-view": key, onchange: () => setView({ [key]: list.value }) },
      ...choices[key].map((value) => h("option", { value }, names[value])),
    );
    const mark = () => {
      list.value = now[key];
    };
    onView(mark);
    mark();
    return h("label", { class: "field" }, label, list);
  };
  return h(
    "div",
    { class: "viewcontrols" },
    h("div", { class: "row" }, toggle("turned", _`Turn the board`), toggle("mirrored", _`Bear off at the left`)),
    choice("mine", _`My checkers`, { light: _`light`, dark: _`dark` }),
    choice("colours", _`Board colours`, {
      felt: _`green felt`,
      wood: _`wood`,
      blue: _`blue`,
      grey: _`grey`,
      contrast: _`high contrast`,
    }),
    choice("numbers", _`Point numbers`, { mine: _`mine`, roll: _`of the player on roll`, none: _`no numbers` }),
  );
}

const opener = $("view");
const box = $("viewbox");
if (opener && box) {
  box.append(viewControls());
  box.addEventListener("toggle", (e) => opener.setAttribute("aria-expanded", String(e.newState === "open")));
}
