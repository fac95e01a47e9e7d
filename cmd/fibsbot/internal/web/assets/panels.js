// Panels of the page Positions, made of the server's answers.

import { _, fixed, h, percent, phrase, signed } from "./site.js";
import { chances, headed, td, tr } from "./tables.js";

/** @import { AdviceCount, AdviceCounts, AdviceRollMap, AdviceRollReply } from "../api.d.ts" */
/** @import { AdviceWindowSet, CubeWindow, Evaluation, OpeningEntry, ScoreCell, ScoreMatrix } from "../api.d.ts" */

/** inBook links to the rollouts of an opening or a reply.
    @param {OpeningEntry} [b] */
export function inBook(b) {
  if (!b || b.plays.length < 2) return "";
  // Replies are listed under the score of the opening player.
  const theirs = { money: "money", dmp: "dmp", "gammon-go": "gammon-save", "gammon-save": "gammon-go" };
  const score = b.first ? theirs[b.score] : b.score;
  const at = new URLSearchParams();
  if (score !== "money") at.set("score", score);
  if (b.first) at.set("first", b.first);
  at.set("roll", b.roll);
  const plays = b.plays.slice(0, 3).map((p) => `${p.move} ${signed(p.equity)} ± ${fixed(p.equity_stderr, 3)}`);
  const link = h("a", { href: "/openings?" + at }, _`Openings`);
  return h("p", { id: "book" }, _`Book, rolled out: ` + plays.join(", ") + " ", link);
}

/** rollsPanel has the 36 rolls as a map and as a table.
    @param {AdviceRollMap} v */
export function rollsPanel(v) {
  return [
    h("p", {}, h("strong", {}, _`Mean ${signed(v.no_double)}`), ...afterDouble(v)),
    heatMap(v),
    h("details", { open: true }, h("summary", {}, _`Best play for each roll`), rollsTable(v)),
  ];
}

/** turned is what an equity after a double counts: twice, where it is beavered. */
const turned = (v) => (v.beaver ? 2 : 1);

/** afterDouble says what doubling is worth, nothing if the cube cannot be turned.
    @param {AdviceRollMap} v */
function afterDouble(v) {
  if (v.double_take === undefined) return [];
  const equity = signed(turned(v) * v.double_take);
  return [
    v.beaver ? _` not doubling, ${equity} after double and beaver` : _` not doubling, ${equity} after double and take`,
    _` · market lost with ${v.market_losers} of 36 rolls`,
  ];
}

/** heatMap colours each roll by its equity.
    @param {AdviceRollMap} v */
function heatMap(v) {
  const spread = Math.max(0.05, ...v.rolls.map((r) => Math.abs(r.no_double - v.no_double)));
  const cubed = v.beaver ? "D/B " : "D/T ";
  const cell = (a, b) => {
    const r = v.rolls.find(({ dice: [x, y] }) => (x === a && y === b) || (x === b && y === a));
    const level = Math.max(0, Math.min(6, Math.round(3 + (3 * (r.no_double - v.no_double)) / spread)));
    const doubled = () => h("small", {}, h("br"), cubed + signed(turned(v) * r.double_take, 2));
    return h(
      "div",
      { class: `h${level}${r.market_loser ? " loser" : ""}`, title: phrase(r.best) },
      h("b", {}, `${a}-${b}`),
      signed(r.no_double, 2),
      r.double_take === undefined ? "" : doubled(),
    );
  };
  const dice = [1, 2, 3, 4, 5, 6];
  const label = _`Map of the 36 rolls by equity; the table below lists them`;
  const cells = dice.flatMap((a) => dice.map((b) => cell(a, b)));
  return h("div", { class: "heat", role: "img", "aria-label": label }, ...cells);
}

/** rollsTable lists the rolls, the best first.
    @param {AdviceRollMap} v */
function rollsTable(v) {
  /** @param {AdviceRollReply} r */
  const row = (r) => {
    const cells = [td(r.dice.join("-")), td(phrase(r.best)), td(signed(r.no_double), "n")];
    cells.push(td(r.double_take === undefined ? "" : signed(turned(v) * r.double_take), "n"));
    if (v.market_losers) cells.push(td(r.market_loser ? _`loses the market` : ""));
    return tr(...cells);
  };
  const doubled = v.beaver ? _`Double, beaver` : _`Double, take`;
  const heads = [_`Rolls`, _`Best play`, [_`No double`, "n"], [doubled, "n"]];
  if (v.market_losers) heads.push("");
  return headed(heads, [...v.rolls].sort((x, y) => y.no_double - x.no_double).map(row));
}

/** actions has the short name of each cube action, and the class of its cell. */
const actions = {
  no_double_take: ["ND", "a-no"],
  no_double_beaver: ["ND", "a-no"],
  double_take: ["D/T", "a-take"],
  double_beaver: ["D/B", "a-take"],
  double_pass: ["D/P", "a-pass"],
  too_good_take: ["TG", "a-good"],
  too_good_pass: ["TG", "a-good"],
  optional_double_take: ["D?/T", "a-take"],
  optional_double_pass: ["D?/P", "a-pass"],
};

/** scoresPanel has the decision at each score; plays is whether it is one of plays.
    @param {ScoreMatrix} v */
export function scoresPanel(v, plays) {
  const range = Array.from({ length: v.away }, (_none, i) => i + 1);
  const at = (a, b) => v.cells.find((c) => c.away[0] === a && c.away[1] === b);
  const row = (a) => tr(h("th", {}, String(a)), ...range.map((b) => scoreCell(at(a, b), v.money.play)));
  const money = v.money.play ?? (v.money.words ? phrase(v.money.words) : _`no cube`);
  const legend = plays
    ? _`The best play at each score; = same as for money`
    : _`ND no double, D/T double and take, D/P double and pass, TG too good. Scores at 1-away are post-Crawford.`;
  const table = headed([_`I need \\ they`, ...range.map(String)], range.map(row), { class: "scores" });
  return [
    h("p", {}, h("strong", {}, _`Money: `), money),
    h("p", { class: "dim" }, legend),
    h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": _`Decision by score` }, table),
  ];
}

/** scoreCell has the decision at one score; common is the play for money.
    @param {ScoreCell} c */
function scoreCell(c, common) {
  if (c.play !== undefined) {
    const same = c.play === common;
    return h("td", { class: same ? "a-same" : "a-other", title: c.play }, same ? "=" : c.play);
  }
  const [name, kind] = actions[c.action] ?? ["–", ""];
  return h("td", { class: kind, title: c.words ? phrase(c.words) : _`no cube` }, name);
}

/** countsPanel has chances, market windows and counts.
    @param {Evaluation} v */
export function countsPanel(v) {
  const out = [chances(v.probs), h("h2", {}, _`Market windows`), ...windows(v), h("h2", {}, _`Counts`)];
  const heads = [_`Count`, [_`Me`, "n"], [_`Opponent`, "n"], _`Advice`];
  out.push(headed(heads, countRows(v.counts)));
  if (v.counts.kleinman_chance === undefined) {
    out.push(h("p", { class: "dim" }, _`Race counts need a position without contact.`));
  }
  return out;
}

/** windows are the market windows, and the gammon prices.
    @param {Pick<Evaluation, "windows">} v */
export function windows({ windows: w }) {
  const [won, lost] = [w.gammon_prices.win_gammon, w.gammon_prices.lose_gammon].map((x) => fixed(x, 3));
  return [windowTable(w), h("p", { class: "dim" }, _`Gammon price ${won} won, ${lost} lost.`)];
}

/** windowTable has the winning chances at which the cube action of one side changes.
    @param {AdviceWindowSet} w */
export function windowTable(w) {
  const bound = (x) => (x <= 0 ? _`always` : x >= 1 ? _`never` : percent(x));
  /** @param {CubeWindow} x */
  const row = (name, x) => tr(td(name), ...[x.take, x.double, x.cash, x.too_good].map((y) => td(bound(y), "n")));
  const heads = [_`Winning chance for`, [_`take`, "n"], [_`double`, "n"], [_`cash`, "n"], [_`too good`, "n"]];
  const rows = [row(_`dead cube`, w.dead), row(_`live cube`, w.live), row(_`in practice`, w.practical)];
  return headed(heads, rows);
}

/** countRows has a row for each count that applies.
    @param {AdviceCounts} c */
function countRows(c) {
  const row = (name, me, opponent, advice) => tr(td(name), td(String(me), "n"), td(String(opponent), "n"), td(advice));
  const rows = [row(_`Pips`, c.pips[0], c.pips[1], "")];
  if (c.epc) {
    const wastage = _`wastage ${fixed(c.wastage[0], 1)} and ${fixed(c.wastage[1], 1)}`;
    rows.push(row(_`Effective pips`, fixed(c.epc[0], 2), fixed(c.epc[1], 2), wastage));
  }
  for (const [name, x] of Object.entries({ Thorp: c.thorp, Keith: c.keith, Ward: c.ward, Isight: c.isight })) {
    if (x) rows.push(row(name, fixed(x.me, 1), fixed(x.opponent, 1), x.advice.split(", ").map(phrase).join(", ")));
  }
  if (c.kleinman_chance !== undefined) {
    const metric = c.kleinman_metric === undefined ? "" : _`metric ${fixed(c.kleinman_metric, 2)}`;
    rows.push(row("Kleinman", percent(c.kleinman_chance), "", metric));
  }
  return rows;
}
