// The page Match equities: what every score is worth, and the cube at the score at hand.

import { $, _, ask, below, fixed, h, percent, show } from "./site.js";
import { windowTable, windows } from "./panels.js";
import { headed, td, tr } from "./tables.js";

/** @import { AdviceMatchTable, AdvicePrices } from "../api.d.ts" */

const form = $("at");
const f = form.elements;
let kind = "chance";
let at = null; // the score that is shown
/** @type {{ length: number, met: AdviceMatchTable, prices: AdvicePrices } | null} */
let known = null; // the tables of a length

/* The address holds what is shown: a length and a score, or the position of a decision. */

async function read() {
  const q = new URLSearchParams(location.search);
  /** @type {{ length: any, score: any[], crawford: boolean }} */
  let v = { length: q.get("length") ?? 7, score: (q.get("score") ?? "0-0").split("-"), crawford: q.has("crawford") };
  if (q.has("position")) {
    v = await ask("POST", "/position", { position: q.get("position") });
    if (!v.length) v = { length: 7, score: [0, 0], crawford: false };
  }
  f.points.value = v.length;
  [f.mine.value, f.theirs.value] = v.score;
  f.crawford.checked = v.crawford;
  f.gammons.value = q.get("gammons") ?? "0";
  f.against.value = q.get("against") ?? "0";
  kind = ["take", "gammon"].find((k) => k === q.get("table")) ?? "chance";
  await load();
}

function write() {
  const q = new URLSearchParams({ length: f.points.value, score: `${f.mine.value}-${f.theirs.value}` });
  if (f.crawford.checked) q.set("crawford", "1");
  for (const name of ["gammons", "against"]) if (Number(f[name].value)) q.set(name, f[name].value);
  if (kind !== "chance") q.set("table", kind);
  history.replaceState({}, "", below("/met?") + q);
}

async function load() {
  const [length, mine, theirs] = ["points", "mine", "theirs"].map((name) => Number(f[name].value));
  const alone = (mine === length - 1) !== (theirs === length - 1); // one side needs one point
  f.crawford.disabled = !alone;
  if (!alone) f.crawford.checked = false;
  try {
    const state = { length, score: [mine, theirs], crawford: f.crawford.checked };
    const rates = { gammons: Number(f.gammons.value), gammons_against: Number(f.against.value) };
    const [cube, met, prices] = await Promise.all([
      ask("POST", "/met/prices", { ...state, ...rates }),
      ...(known?.length === length
        ? [known.met, known.prices]
        : ["/met", "/met/prices"].map((path) => ask("GET", `${path}?length=${length}`))),
    ]);
    known = { length, met, prices };
    at = { me: length - mine, opp: length - theirs, post: alone && !f.crawford.checked };
    show($("wrong"), null);
    draw();
    const heading = (text) => h("h2", {}, text);
    $("score").replaceChildren(
      heading(_`${at.me}-away, ${at.opp}-away`),
      h("p", {}, _`Chance to win the match before this game: ${percent(chance(), 2)}`),
      heading(_`Me`),
      ...windows({ windows: cube }),
      heading(_`Opponent`),
      windowTable(cube.opponent),
    );
  } catch (err) {
    show($("wrong"), err);
  }
}

/** chance is that of winning the match at the score. */
function chance() {
  const { pre_crawford: pre, post_crawford: post } = known.met;
  if (!at.post) return pre[at.me - 1][at.opp - 1];
  return at.opp === 1 ? post[at.me - 1] : 1 - post[at.opp - 1];
}

/** draw shows the chosen table, with the score at hand marked. */
function draw() {
  for (const b of $("kind").children) b.setAttribute("aria-checked", String(b.dataset.kind === kind));
  const { length, met, prices } = known;
  const { rows, write, about } = {
    chance: {
      rows: met.pre_crawford,
      write: (v) => fixed(100 * v, 1),
      about: _`Chance to win the match before a game, in percent: 1 in the Crawford game, 1* after it.`,
    },
    take: {
      rows: prices.take_points,
      write: (v) => fixed(100 * v, 1),
      about: _`Winning chance needed to take a first double, in percent, without gammons and redoubles.`,
    },
    gammon: {
      rows: prices.gammon_prices,
      write: (v) => fixed(v, 2),
      about: _`What a gammon won adds to a single win, with the cube at 1; for money it is 0.50.`,
    },
  }[kind];
  const cell = (v, me, opp, post) => {
    const here = at.me === me && at.opp === opp && (kind !== "chance" || at.post === post);
    const score = { mine: length - me, theirs: length - opp };
    const title = `${score.mine}–${score.theirs}`;
    return h("td", { "aria-current": here && "true", title, onclick: () => go(score, !post) }, write(v));
  };
  const heads = [_`I need \\ they`, ...rows.map((_row, i) => String(i + 1))];
  const lines = rows.map((row, i) => row.map((v, j) => cell(v, i + 1, j + 1, kind !== "chance" && !i !== !j)));
  if (kind === "chance") {
    const { post_crawford: post } = met;
    post.forEach((v, i) => lines[i].push(i ? cell(v, i + 1, 1, true) : td("")));
    lines.push([...post.map((v, i) => (i ? cell(1 - v, 1, i + 1, true) : td(""))), td("")]);
    heads.push("1*");
  }
  const body = lines.map((line, i) => tr(h("th", {}, heads[i + 1]), ...line));
  $("table").replaceChildren(headed(heads, body, { class: "scores met" }));
  $("about").textContent = `${about} ${met.table}.`;
}

/** go chooses a score. */
function go(score, crawford) {
  f.mine.value = score.mine;
  f.theirs.value = score.theirs;
  f.crawford.checked = crawford;
  write();
  load();
}

form.addEventListener("submit", (e) => e.preventDefault());
form.addEventListener("change", () => {
  write();
  load();
});
$("kind").addEventListener("click", (e) => {
  const b = e.target.closest("[data-kind]");
  if (!b || !known) return;
  kind = b.dataset.kind;
  write();
  draw();
});
read().catch((err) => show($("wrong"), err));
