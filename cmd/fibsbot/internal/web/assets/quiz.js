// Questions from errors of the archive, collections and ready sets.

import {
  $,
  _,
  ask,
  below,
  button,
  fixed,
  h,
  phrase,
  positionsAt,
  pressKey,
  refill,
  remember,
  remembered,
  signed,
  toast,
} from "./site.js";
import { Board } from "./board.js";
import { gestures, Mover } from "./mover.js";
import { steps } from "./notation.js";
import { chances, headed, td, tr } from "./tables.js";
import { themeCost, themeFilter, themeName } from "./themes.js";

/** @import { QuizChoice, QuizResult } from "../api.d.ts" */

const form = $("filter");
const field = Object.fromEntries([...form.elements].filter((el) => el.name).map((el) => [el.name, el]));
const filters = ["source", "match", "player", "kind", "phase", "plan", "score", "min_loss"];
let now = null;
let here = null;
let board = null;
let answered = null;
let worst = 0;
let sources = null;

/* The filters: in the form, and in the address. */

function query() {
  const q = new URLSearchParams();
  for (const name of filters) if (field[name].value.trim()) q.set(name, field[name].value.trim());
  if (field.source.value) q.delete("match");
  if (worst && !field.source.value) q.set("worst", String(worst));
  return q;
}

function readAddress() {
  const q = new URLSearchParams(location.search);
  field.player.value = q.get("player") ?? remembered("quiz-player", "");
  for (const name of filters) {
    const value = q.get(name) ?? "";
    if (name === "player") continue;
    if (value && field[name].options && ![...field[name].options].some((o) => o.value === value)) {
      field[name].append(h("option", { value }, value));
    }
    field[name].value = value;
  }
  worst = Number(q.get("worst")) || 0;
}

/** choose sets filters and asks the next question. */
function choose(to = {}) {
  worst = to.worst ?? 0;
  if ((to.match ?? field.match.value) !== field.match.value) setTimeout(reload); // other themes
  for (const [name, value] of Object.entries(to)) if (field[name]) field[name].value = value;
  const q = query();
  history.replaceState({}, "", below("/quiz") + (q.size ? "?" + q : ""));
  describe();
  next();
}

function describe() {
  const own = !field.source.value;
  for (const name of ["player", "min_loss"]) field[name].disabled = !own;
  const parts = [
    field.source.selectedOptions[0]?.textContent ?? "",
    ...["kind", "phase", "plan", "score"]
      .filter((n) => field[n].value)
      .map((n) => field[n].selectedOptions[0].textContent),
  ];
  if (own && field.match.value) parts.push(_`one match`);
  if (worst) parts.push(_`${worst} worst themes`);
  $("what").textContent = parts.join(", ");
  for (const [id, format] of [
    ["apkg", "apkg"],
    ["cards", "html"],
  ]) {
    const q = query();
    q.set("format", format);
    $(id).href = below("/api/v1/quiz/export?") + q;
  }
}

const reload = () => loadSources().catch((err) => toast(err.message));

async function loadSources() {
  const q = query();
  const chosen = new URLSearchParams(location.search).get("source") ?? field.source.value;
  for (const name of [...q.keys()]) if (name !== "player" && name !== "match") q.delete(name);
  sources = await ask("GET", "/quiz/sources?" + q);
  const option = (value, text) => h("option", { value }, text);
  const sets = h(
    "optgroup",
    { label: _`Ready sets` },
    ...sources.sets.map((s) => option("set:" + s.name, _`${phrase(s.title)} (${s.questions})`)),
  );
  const own = sources.collections.map((c) => option("collection:" + c.name, _`${c.name} (${c.questions})`));
  field.source.replaceChildren(
    option("", _`errors (${sources.errors})`),
    ...(own.length ? [h("optgroup", { label: _`Collections` }, ...own)] : []),
    sets,
  );
  field.source.value = chosen;
  if (field.source.selectedIndex < 0) {
    field.source.append(option(chosen, chosen));
    field.source.value = chosen;
  }
  for (const [name, list] of [
    ["phase", sources.phases],
    ["plan", sources.plans],
  ]) {
    const value = field[name].value;
    field[name].replaceChildren(field[name].options[0], ...list.map((w) => option(w, phrase(w))));
    field[name].value = value;
  }
  $("worst").disabled = !sources.themes.length;
  $("worst").textContent = field.match.value ? _`Practise the worst themes of this match` : _`Practise my worst themes`;
  $("every").hidden = !field.match.value;
  refill(
    $("themes"),
    ...sources.themes.slice(0, 3).map((t) =>
      h(
        "button",
        {
          type: "button",
          onclick: () => choose({ source: "", phase: "", plan: "", score: "", min_loss: "", ...themeFilter(t) }),
        },
        themeName(t),
        themeCost(t),
      ),
    ),
  );
  progress(sources.progress);
}

function progress(p) {
  const parts = [p.today.asked ? _`today ${p.today.right} of ${p.today.asked} correct` : _`nothing answered today`];
  if (p.streak > 1) parts.push(_`${p.streak} days in a row`);
  if (p.row > 1) parts.push(_`${p.row} correct in a row`);
  const most = Math.max(1, ...p.days.map((d) => d.asked));
  $("progress").replaceChildren(
    h(
      "span",
      { class: "days", role: "img", "aria-label": _`Answers of the last 14 days` },
      ...p.days.map((d) =>
        h("span", { class: `day h${Math.ceil((5 * d.asked) / most)}`, title: _`${d.date}: ${d.right} of ${d.asked}` }),
      ),
    ),
    parts.join(" · "),
  );
}

/* A question */

async function next() {
  if ($("actions").contains(document.activeElement)) $("actions").focus(); // on no answer
  $("verdict").hidden = true;
  answered = null;
  const q = query();
  if (field.mode.value === "choice") q.set("options", "1");
  try {
    now = await ask("GET", "/quiz?" + q);
  } catch (err) {
    now = null;
    $("status").textContent = "";
    $("actions").replaceChildren();
    const everything = { source: "", match: "", kind: "", phase: "", plan: "", score: "", min_loss: "" };
    $("quiz").replaceChildren(
      h(
        "p",
        { class: "empty" },
        err.message,
        " ",
        button(_`All errors`, () => choose(everything)),
      ),
    );
    return;
  }
  tally();
  const asked = now.question;
  if (!asked) return nothing();
  $("quiz").replaceChildren();
  board = new Board(
    $("quiz"),
    asked.kind === "play" && !now.options ? "play" : "view",
    gestures(() => here, step, draw),
  );
  const d = now.position;
  here = asked.kind === "play" ? new Mover(now.moves, d.dice, d.board[0], d.board[1]) : null;
  draw();
}

/** nothing says why there is no question, and where there are some. */
function nothing() {
  board = null;
  $("status").textContent = "";
  $("actions").replaceChildren();
  const narrow = ["match", "kind", "phase", "plan", "score", "min_loss"].some((n) => field[n].value);
  const openings = { source: "set:openings", kind: "", phase: "", plan: "", score: "money" };
  const cubes = { source: "set:cubes", kind: "", phase: "", plan: "", score: "" };
  const unfiltered = { match: "", kind: "", phase: "", plan: "", score: "", min_loss: "" };
  const ways = [
    (narrow || worst) && button(_`Drop the filters`, () => choose(unfiltered)),
    button(_`Practise openings`, () => choose(openings)),
    button(_`Practise cube decisions`, () => choose(cubes)),
  ];
  const row = h("p", { class: "row centred" }, ...ways);
  $("quiz").replaceChildren(h("div", { class: "empty" }, h("p", {}, whyNothing(narrow)), row));
}

/** whyNothing says why there is no question. */
function whyNothing(narrow) {
  if (now.tally.questions) return _`No question is due now.`;
  if (field.source.value || narrow) return _`No question fits these filters.`;
  return noErrors();
}

const noErrors = () =>
  _`No errors of 0.08 or more yet. Play or import a match; its errors become questions when it has been analysed.`;

function step(path) {
  if (!path || answered) return;
  here.step(path);
  draw();
}

function draw(arrows) {
  const d = now.position;
  const q = now.question;
  const owner = { me: "me", opponent: "opp" }[d.owner] ?? "centre";
  const cube = q.kind === "take" ? { value: 2 * d.cube, owner, offered: "me" } : { value: d.cube, owner };
  const st = {
    me: here?.me ?? d.board[0],
    opp: here?.opp ?? d.board[1],
    checkers: d.checkers,
    cube,
    arrows,
    top: q.kind === "take",
  };
  if (here) {
    Object.assign(st, {
      dice: here.order,
      diceSide: "me",
      live: !answered && !now.options,
      used: here.used(),
      sources: here.sources(),
    });
  }
  board.set(st);
  if (!answered) $("status").textContent = question();
  refill($("actions"), ...buttons());
}

function question() {
  const d = now.position;
  const q = now.question;
  const at = d.length ? _`${d.score[0]}–${d.score[1]} of ${d.length}${d.crawford ? _`, Crawford` : ""}` : _`money`;
  return (
    {
      play: _`Play ${d.dice.join("-")}.`,
      double: _`Double or roll? And after a double, take or pass?`,
      take: _`Doubled: was that right? Take or pass?`,
    }[q.kind] + _` (${at}, pips ${d.pips[0]} to ${d.pips[1]})`
  );
}

/** word is an answer as people read it. */
const word = (text) =>
  ({
    roll: _`No double`,
    "roll/take": _`No double, take`,
    "roll/pass": _`Too good, pass`,
    "double/take": _`Double, take`,
    "double/pass": _`Double, pass`,
  })[text] ?? text;

/** offer is a button with a key. */
const offer = (text, key, fn, kind = "", enabled = true) =>
  button(text, fn, { class: kind, "data-key": key, disabled: !enabled });

/** buttons are those below the board. */
function buttons() {
  if (answered) return [offer(_`Next`, "n", next, "primary")];
  return [...answers(now.question.kind), offer(_`Skip`, "s", skip, "quiet")];
}

/** answers are the buttons that answer a question. */
function answers(kind) {
  const words = (list) => Object.entries(list).map(([w, key]) => offer(word(w), key, () => answer(w)));
  switch (kind) {
    case "play":
      if (now.options) {
        const option = (text, i) => offer(`${i + 1}. ${text}`, String(i + 1), () => answer(text), "option");
        return now.options.map(option);
      }
      return [
        offer(_`Done`, "Enter", () => answer(here.text), "primary", here.may),
        offer(_`Undo step`, "Backspace", stepBack, "", here.path.length > 0),
      ];
    case "double":
      return words({ roll: "r", "double/take": "t", "double/pass": "p" });
    default:
      return words({ "roll/take": "r", "double/take": "t", "double/pass": "p", "roll/pass": "g" });
  }
}

function stepBack() {
  if (here.back()) draw();
}

async function skip() {
  try {
    await ask("POST", `/quiz/${now.question.id}/skip`, {});
    next();
  } catch (err) {
    toast(err.message);
  }
}

let answering = false; // a request is under way

async function answer(text) {
  if (answered || answering) return;
  answering = true;
  try {
    const v = await ask("POST", `/quiz/${now.question.id}/answers`, { answer: text });
    answered = { text, v };
    now.tally.asked++;
    now.tally.right += v.right ? 1 : 0;
    now.tally.due--;
    $("status").textContent = v.right
      ? v.loss > 0
        ? _`Correct (${fixed(v.loss, 3)} behind the best).`
        : _`Correct.`
      : _`Wrong: loses ${fixed(v.loss, 3)}.`;
    verdict();
    showPlay(v.best);
    $("actions").querySelector("button").focus();
    tally();
    progress(v.progress);
  } catch (err) {
    toast(err.message);
  } finally {
    answering = false;
  }
}

/** showPlay draws a play of the question as arrows. */
function showPlay(text) {
  if (now.question.kind !== "play") return draw();
  while (here.back());
  draw(steps(text));
}

/** verdict shows the answers with what they are worth. */
function verdict() {
  const { v } = answered;
  const heads = [h("span", { class: "hidden" }, _`Mark`), _`Answer`, [_`Equity`, "n"], [_`Loss`, "n"]];
  $("verdict").hidden = false;
  $("verdict").replaceChildren(
    h("p", { class: "verdict" }, phrase(v.words || word(v.best))),
    v.reason ? h("p", { class: "why" }, v.reason) : "",
    v.cube ? chances(v.cube.probs) : "",
    headed(heads, v.choices.map(choiceRow), { class: "plays" }),
    h("p", { class: "dim" }, basisText(v)),
    byCube(v) ?? "",
    origin(now.question),
  );
}

/** choiceRow is the row of an answer; a play is shown on the board.
    @param {QuizChoice} c */
function choiceRow(c) {
  const show = () => {
    if (now.question.kind === "play") showPlay(c.answer);
  };
  const onkeydown = (e) => {
    if (e.key === "Enter") show();
  };
  return h(
    "tr",
    { class: c.answer === answered.text ? "given" : "", tabindex: 0, onclick: show, onkeydown },
    td(choiceMark(c), "n"),
    td(phrase(word(c.answer)), "move"),
    td([signed(c.equity), h("small", {}, c.stderr ? "± " + fixed(c.stderr, 3) : "")], "n"),
    td([c.loss ? signed(-c.loss) : "", c.searched && h("small", {}, _`searched by worldclass`)], "n"),
  );
}

/** choiceMark marks the best answer and the given one.
    @param {QuizChoice} c */
function choiceMark(c) {
  const { text, v } = answered;
  if (c.answer === v.best) return h("span", { class: "right", title: _`best` }, "✓");
  if (c.answer !== text) return "";
  return h("span", { class: v.right ? "right" : "wrong", title: _`your answer` }, v.right ? "✓" : "✗");
}

/** basisText says what the equities are of.
    @param {QuizResult} v */
function basisText(v) {
  switch (v.basis) {
    case "exact":
      return _`exact`;
    case "rollout":
      return _`rolled out, ${v.trials} games`;
    case "search":
      return _`searched by worldclass`;
    case "analysis":
      return phrase(v.depth);
  }
  return "";
}

/** byCube compares the best play with the cube in each place.
    @param {QuizResult} v */
function byCube(v) {
  if (!v.cubes?.length) return null;
  const same = v.cubes.every((c) => c.play === v.cubes[0].play);
  const owner = { centre: _`cube in the centre`, me: _`cube mine`, opponent: _`cube theirs` };
  const rows = v.cubes.map((c) => tr(td(owner[c.owner]), td(c.play, "move"), td(signed(c.equity), "n")));
  return h(
    "details",
    { open: !same },
    h("summary", {}, same ? _`The same play with every cube` : _`Best play for each cube position`),
    h("table", {}, h("tbody", {}, ...rows)),
  );
}

function origin(q) {
  const look = h("a", { href: positionsAt(now.position.xgid, { drops: now.position.drops }) }, _`Open in Positions`);
  if (!q.match) return h("p", { class: "dim" }, q.name ? h("span", { "data-data": true }, q.name, ". ") : "", look);
  return h(
    "p",
    { class: "dim" },
    _`${q.player} against ${q.opponent}${q.date ? ", " + q.date : ""}, loss ${fixed(q.loss, 3)}. `,
    h("a", { href: "/matches/" + q.match }, _`The match`),
    " · ",
    look,
  );
}

function tally() {
  const { due, questions, asked, right } = now.tally;
  const correct = asked ? _`, ${Math.round((100 * right) / asked)}% correct` : "";
  $("tally").textContent = _`${due} of ${questions} questions are due · ${asked} answered${correct}`;
}

document.addEventListener("keydown", (e) => pressKey(e, $("actions")));
let timer = 0;
form.addEventListener("submit", (e) => e.preventDefault());
form.addEventListener("input", (e) => {
  clearTimeout(timer);
  if (e.target === field.mode) remember("quiz-mode", field.mode.value);
  if (e.target !== field.player) return choose();
  remember("quiz-player", field.player.value.trim());
  timer = setTimeout(() => {
    reload();
    choose();
  }, 350);
});
$("every").addEventListener("click", () =>
  choose({ match: "", source: "", kind: "", phase: "", plan: "", score: "", min_loss: "" }),
);
$("worst").addEventListener("click", () =>
  choose({ worst: 3, source: "", kind: "", phase: "", plan: "", score: "", min_loss: "" }),
);

async function begin() {
  readAddress();
  field.mode.value = remembered("quiz-mode", "board") === "choice" ? "choice" : "board";
  try {
    await loadSources();
  } catch (err) {
    $("choose").hidden = true;
    $("worst").disabled = true;
    $("quiz").replaceChildren(h("p", { class: "empty" }, err.message));
    return;
  }
  describe();
  next();
}
begin();
