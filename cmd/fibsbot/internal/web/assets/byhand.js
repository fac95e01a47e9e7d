// Dice and plays entered by hand: for dice thrown on a real board, and for recording the
// match of two people.

import { $, _, h } from "./site.js";

let first = 0; // the first die of a roll

/** dicePad makes the buttons of a roll; done receives the two dice. */
export function dicePad(done, redraw) {
  return [1, 2, 3, 4, 5, 6].map((n) =>
    h(
      "button",
      {
        type: "button",
        class: "die" + (first === n ? " primary" : ""),
        "data-key": n,
        "aria-keyshortcuts": n,
        "aria-label": first ? _`Second die ${n}` : _`First die ${n}`,
        onclick: () => {
          if (!first) {
            first = n;
            return redraw();
          }
          const dice = [first, n];
          first = 0;
          return done(dice);
        },
      },
      String(n),
    ),
  );
}

/** half is the first die of a roll that waits for its second, 0 without one. */
export const half = () => first;
export const forget = () => {
  first = 0;
};

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

/** answers are the acts that answer a double. */
const answers = ["take", "drop", "beaver", "raccoon"];

/** correctable reports whether an act can be corrected. */
export const correctable = (a) => ["move", "double", ...answers].includes(a.kind);

/** correction asks in the dialog how an act was; it returns the change, or null. */
function correction(a) {
  const d = $("fix");
  const f = d.querySelector("form").elements;
  const dice = a.kind === "move" ? a.rolled : a.dice;
  f.dice.value = dice ? dice.join("") : "";
  f.dice.disabled = !dice;
  f.play.value = a.play ?? "";
  f.kind.value = answers.includes(a.kind) ? a.kind : "take";
  f.doubled.checked = f.remove.checked = false;
  const fits = {
    dice: !!dice,
    play: a.kind === "move",
    kind: answers.includes(a.kind),
    doubled: a.kind === "move",
    remove: a.kind === "double",
  };
  for (const [name, fit] of Object.entries(fits)) f[name].closest("label").hidden = !fit;
  d.returnValue = "";
  d.showModal();
  if (dice) f.dice.select();
  return new Promise((done) =>
    d.addEventListener(
      "close",
      () => {
        if (d.returnValue !== "save") return done(null);
        const out = {};
        const want = f.dice.value.replace(/\D/g, "");
        if (dice && want !== dice.join("")) out.dice = [...want].map(Number);
        if (a.kind === "move" && f.play.value.trim() !== (a.play ?? "")) out.play = f.play.value.trim();
        if (answers.includes(a.kind) && f.kind.value !== a.kind) out.kind = f.kind.value;
        for (const name of ["doubled", "remove"]) if (f[name].checked) out[name] = true;
        return done(Object.keys(out).length ? out : null);
      },
      { once: true },
    ),
  );
}

/** setUpHand connects the written line and the corrections with the table: its match, and
    how it acts and asks. */
export function setUpHand(table) {
  const line = $("line");
  const problem = $("line-error");
  const illegal = $("illegal");

  /** fix corrects an earlier act. */
  async function fix(a) {
    const body = await correction(a);
    if (!body) return;
    let next = await table.call("correct", { act: a.number, ...body });
    if (!next && table.refusal()?.field === "cut") {
      const cut = await table.question(
        _`Correct this act?`,
        _`This change makes a later play or double impossible: that one and all after it will be dropped.`,
        [
          ["", _`Keep it as it was`, "primary"],
          ["yes", _`Correct and drop the rest`],
        ],
      );
      if (cut === "yes") next = await table.call("correct", { act: a.number, ...body, cut: true });
    }
    if (next) table.enterAt(next);
    else table.draw();
  }

  function wrong(text, mayMark = false) {
    problem.textContent = text;
    problem.hidden = !text;
    illegal.hidden = !mayMark;
  }

  /** enter carries out what was written; marked records its play as illegal. */
  async function enter(marked) {
    const field = line.elements.text;
    const acts = readLine(field.value);
    if (!acts) return wrong(_`Write a roll and a play, as 31: 8/5 6/5, or double, take, pass, resign.`);
    for (const a of acts) {
      const { phase, dice, version } = table.match();
      if (a.kind === "roll" && phase === "move") {
        if ([...a.dice].sort().join() !== [...dice].sort().join()) {
          return wrong(_`The dice on the board are ${dice.join("-")}.`);
        }
        continue;
      }
      table.quiet(true);
      await table.act(a.kind === "move" && marked ? { ...a, illegal: true } : a, true);
      table.quiet(false);
      const after = table.match();
      if (after.version === version) {
        return wrong(table.refusal()?.message ?? "", after.two_players && table.refusal()?.field === "play");
      }
    }
    field.value = "";
    wrong("");
    return field.focus();
  }

  line.addEventListener("submit", (e) => {
    e.preventDefault();
    enter(false);
  });
  illegal.addEventListener("click", () => enter(true));
  return { fix };
}
