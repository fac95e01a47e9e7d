// The page Openings: rolls, plays and replies.

import { $, _, ask, below, button, fixed, h, percent, positionsAt, refill, signed } from "./site.js";
import { Board } from "./board.js";
import { chances, headed, td } from "./tables.js";
import { steps } from "./notation.js";

/** @import { OpeningDecision, OpeningPlay } from "../api.d.ts" */

const board = new Board($("board"), "view");
const scores = () => ({ money: _`Money`, dmp: _`DMP`, "gammon-go": _`Gammon-go`, "gammon-save": _`Gammon-save` });

let score = "money"; // the opening player's
let first = ""; // roll and play that is replied to
let roll = ""; // chosen
let now = null; // the answer of the server

/* The address holds what is shown, so it can be linked to and the browser can go back. */

function read() {
  const q = new URLSearchParams(location.search);
  score = Object.hasOwn(scores(), q.get("score") ?? "") ? q.get("score") : "money";
  first = q.get("first") ?? "";
  roll = q.get("roll") ?? "";
}

function go(to, replace = false) {
  ({ score, first, roll } = { score, first, roll, ...to });
  const q = new URLSearchParams();
  if (score !== "money") q.set("score", score);
  if (first) q.set("first", first);
  if (roll) q.set("roll", roll);
  history[replace ? "replaceState" : "pushState"]({}, "", below("/openings") + (q.size ? "?" + q : ""));
  load();
}

async function load() {
  const wanted = `${score} ${first}`;
  for (const b of $("score").children) b.setAttribute("aria-checked", String(b.dataset.score === score));
  try {
    if (now?.asked !== wanted) {
      const answer = await ask("GET", "/openings?" + new URLSearchParams({ score, ...(first ? { first } : {}) }));
      if (wanted !== `${score} ${first}`) return; // the user has gone on
      now = { ...answer, asked: wanted };
    }
    show();
  } catch (err) {
    now = null;
    crumbs();
    $("plays").hidden = true;
    $("rolls").replaceChildren(
      h(
        "p",
        { class: "empty" },
        err.message,
        " ",
        h("button", { type: "button", onclick: () => go({ first: "", roll: "" }) }, _`All openings`),
      ),
    );
  }
}

const dashed = (dice) => dice.split("").join("-");
const moveText = (move) => (move === "cannot move" ? _`cannot move` : move);

function show() {
  crumbs();
  const chosen = now.decisions.find((d) => d.roll === roll);
  $("rolls-title").textContent = first ? _`Replies to ${first}` : _`Opening rolls`;
  refill($("rolls"), ...now.decisions.map((d) => rollButton(d, d === chosen)));
  draw(chosen, chosen?.plays[0]);
  $("plays").hidden = !chosen;
  if (!chosen) return;
  const title = first ? _`Reply ${dashed(roll)}` : _`Opening ${dashed(roll)}`;
  refill($("plays"), h("h2", {}, title), table(chosen), method(chosen));
}

/** rollButton shows the plays of a roll.
    @param {OpeningDecision} d */
function rollButton(d, on) {
  const best = d.plays[0];
  const parts = [
    h("strong", {}, dashed(d.roll)),
    h("span", {}, moveText(best.move)),
    h("small", {}, best.trials ? signed(best.equity) : ""),
  ];
  return button(parts, () => go({ roll: d.roll }), { "aria-pressed": String(on), "data-roll": d.roll });
}

function draw(d, play) {
  const p = now.position;
  board.set({
    me: p.board[0],
    opp: p.board[1],
    checkers: p.checkers,
    dice: d ? d.roll.split("").map(Number) : [],
    diceSide: "me",
    cube: { value: 1, owner: "centre" },
    arrows: play ? steps(play.move) : undefined,
  });
  $("ids").textContent = d ? d.xgid : p.xgid;
}

/** sure reports whether a loss is at least twice its standard error. */
const sure = (p) => p.loss >= 2 * p.loss_stderr;

/** table lists the plays of a roll; the chosen one is shown on the board.
    @param {OpeningDecision} d */
function table(d) {
  const rows = d.plays.map((p, i) => playRow(d, p, i === 0));
  rows.forEach((row, i) => {
    const pick = () => {
      for (const other of rows) other.setAttribute("aria-selected", String(other === row));
      draw(d, d.plays[i]);
      $("plays").querySelector(".chances")?.replaceWith(chances(d.plays[i].probs));
    };
    row.addEventListener("click", pick);
    row.addEventListener("keydown", (e) => {
      if (e.target !== row || (e.key !== "Enter" && e.key !== " ")) return;
      e.preventDefault();
      pick();
    });
  });
  const best = d.plays[0];
  const heads = [_`Plays`, [_`Equity`, "n"], [_`Loss`, "n"], h("span", { class: "hidden" }, _`Replies`)];
  return h("div", {}, best.trials ? chances(best.probs) : "", headed(heads, rows, { class: "plays" }));
}

/** playRow is the row of a play, with a button for its replies.
    @param {OpeningDecision} d
    @param {OpeningPlay} p */
function playRow(d, p, best) {
  const [win, gammon, lost] = [p.probs[0], p.probs[1], p.probs[3]].map((v) => percent(v));
  const note = _`win ${win} · gammon ${gammon} · lose gammon ${lost}`;
  const error = (v) => h("small", {}, v === null ? "" : "± " + fixed(v, 4));
  const loss = sure(p) ? signed(-p.loss) : `(${signed(-p.loss)})`;
  const reply = (e) => {
    e.stopPropagation();
    go({ first: `${d.roll} ${p.move}`, roll: "" });
  };
  const label = _`Replies to ${p.move}`;
  return h(
    "tr",
    { tabindex: 0, "aria-selected": String(best) },
    td([moveText(p.move), h("small", {}, note)], "move"),
    td([p.trials ? signed(p.equity) : "", error(p.trials ? p.equity_stderr : null)], "n"),
    td([best ? "" : loss, error(best ? null : p.loss_stderr)], "n"),
    td(d.replies.includes(p.move) && button(_`Replies`, reply, { class: "replies", "aria-label": label })),
  );
}

function method(d) {
  const p = d.plays[0];
  const trials = d.plays.map((x) => x.trials);
  const least = Math.min(...trials);
  const most = Math.max(...trials);
  if (!p.trials) return "";
  return h(
    "p",
    { class: "dim" },
    (least === most
      ? _`Rollout of ${most} games for each play`
      : _`Rollout of ${least} to ${most} games for each play`) +
      (p.plies ? _`, each judged by the nets after ${p.plies} rolls` : _`, played to the end`) +
      ". ",
    h("a", { href: positionsAt(d.xgid) }, _`Open in Positions`),
  );
}

/** crumbs is the way to what is shown. */
function crumbs() {
  const link = (text, to) => h("li", {}, to ? button(text, () => go(to), { class: "link" }) : text);
  const list = [link(_`Openings`, (first || roll) && { first: "", roll: "" })];
  if (first) {
    const opened = first.split(" ")[0];
    list.push(link(dashed(opened), { first: "", roll: opened }));
    list.push(link(first.slice(3), roll && { roll: "" }));
  }
  if (roll) list.push(link(dashed(roll)));
  refill($("crumbs"), ...list);
}

$("score").addEventListener("click", (e) => {
  const b = e.target.closest("[data-score]");
  if (b) go({ score: b.dataset.score });
});
addEventListener("popstate", () => {
  read();
  load();
});
read();
load();
