// Tables and small drawings for several pages.

import { _, button, fixed, h, percent, phrase, s, signed } from "./site.js";

/** @import { AdviceCube, AdvicePlay, Evaluation } from "../api.d.ts" */

/** shallow explains the mark of a figure whose judge searched no deeper than the player did;
    starred adds the mark. */
export const shallow = () => _`* from an analysis no deeper than the player's own search while playing`;
export const starred = (text, mark) => (mark ? h("abbr", { title: shallow() }, text, "*") : text);

/** td is a cell of a table, "n" being the kind of numbers; tr is a row of cells. */
export const td = (content, kind) => h("td", { class: kind }, ...[content].flat());
export const tr = (...cells) => h("tr", {}, ...cells);

/** headed is a table of rows below heads: each the content of a cell, or that and the kind of its
    column. */
export function headed(heads, rows, props = {}) {
  const cell = (head) => (Array.isArray(head) ? h("th", { class: head[1] }, head[0]) : h("th", {}, head));
  return h("table", props, h("thead", {}, tr(...heads.map(cell))), h("tbody", {}, ...rows));
}

/** sortHead is the heading of a column that sorts the rows: by is the column that does now, down its
    direction, sortBy what a press calls.
    @param {{ key: string, name: string, kind?: string }} column */
export function sortHead({ key, name, kind }, by, down, sortBy) {
  const [order, arrow] = key !== by ? [null, " ↕"] : down ? ["descending", " ↓"] : ["ascending", " ↑"];
  const sort = button([name, h("span", { "aria-hidden": "true" }, arrow)], () => sortBy(key));
  return h("th", { class: kind, scope: "col", "aria-sort": order }, sort);
}

/** inOrder are the rows by their values; those without one come last. */
export function inOrder(rows, value, down) {
  const missing = (v) => (v === null || v === undefined ? 1 : 0);
  return [...rows].sort((a, b) => {
    const x = value(a);
    const y = value(b);
    return missing(x) - missing(y) || (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });
}

/** chances draws the five chances as one bar. */
export function chances(p) {
  const [w, wg, wb, lg, lb] = p;
  const parts = [
    [wb, "#1d5c4d"],
    [wg - wb, "#2c7d68"],
    [w - wg, "#347666"],
    [1 - w - lg, "#a4604a"],
    [lg - lb, "#8d4636"],
    [lb, "#6f3327"],
  ];
  const [a, b, c, d, e, f] = [w, wg, wb, 1 - w, lg, lb].map((v) => percent(v));
  const label = _`Wins ${a}, gammons ${b}, backgammons ${c}. Loses ${d}, gammons ${e}, backgammons ${f}.`;
  const svg = s("svg", { class: "chances", viewBox: "0 0 400 30", role: "img", "aria-label": label });
  let x = 0;
  for (const [v, colour] of parts) {
    const width = Math.max(0, 400 * v).toFixed(2);
    svg.append(s("rect", { x: (400 * x).toFixed(2), width, height: 30, fill: colour }));
    x += v;
  }
  svg.append(s("text", { x: 8, y: 20 }, a), s("text", { x: 392, y: 20, "text-anchor": "end" }, d));
  return svg;
}

/** chancesText is the chances as gnubg prints them: win, with gammons and backgammons; lose, the same. */
export function chancesText(p) {
  const [w, wg, wb, l, lg, lb] = [p[0], p[1], p[2], 1 - p[0], p[3], p[4]].map((v) => fixed(100 * v, 1));
  return `${w} ${wg} ${wb} – ${l} ${lg} ${lb}`;
}

/** plusMinus is the standard error of a rollout, empty without one. */
const plusMinus = (e) => (e > 0 ? " ± " + fixed(e, 3) : "");

/** oddsTable has the five chances under headings, those of the side that they are of first.
    @param {number[]} p
    @param {string[]} names of that side and the other */
export function oddsTable(p, names) {
  const row = (name, list) => tr(td(name), ...list.map((v) => td(percent(v), "n")));
  const heads = ["", [_`Win`, "n"], [_`Gammon`, "n"], [_`Backgammon`, "n"]];
  return headed(heads, [row(names[0], p.slice(0, 3)), row(names[1], [1 - p[0], p[3], p[4]])], { class: "odds" });
}

/** playsTable lists ranked plays; a click calls pick. With a Set chosen, each play has a box
    that adds its notation. With own, the play that a player made or "", rows are short and mark it. */
export function playsTable(moves, pick, chosen, own) {
  const rows = moves.map((m) => (own === undefined ? playRow(m, chosen) : shortRow(m, own)));
  rows.forEach((row, i) => {
    const choose = () => {
      for (const other of rows) other.setAttribute("aria-selected", String(other === row));
      pick?.(moves[i]);
    };
    row.addEventListener("click", choose);
    row.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      e.stopPropagation();
      choose();
    });
  });
  const rank = h("span", { class: "hidden" }, _`Rank`);
  return headed([[rank, "n"], _`Plays`, [_`Equity`, "n"]], rows, { class: "plays" });
}

/** playRow is the row of a play.
    @param {AdvicePlay} m
    @param {Set<string>} [chosen] */
function playRow(m, chosen) {
  const title = _`win, gammon, backgammon – lose, gammon, backgammon, in percent`;
  const depth = m.trials ? _`rolled out` + plusMinus(m.equity_stderr) : _`${m.plies}-ply`;
  return h(
    "tr",
    { tabindex: 0, "aria-selected": "false" },
    td(chosen ? tick(m, chosen) : String(m.rank), "n"),
    td([m.move || _`cannot move`, h("small", { title }, chancesText(m.probs))], "move"),
    td([signed(m.equity), h("small", {}, (m.rank > 1 ? signed(m.diff) + " · " : "") + depth)], "n"),
  );
}

/** shortRow is a row of a play without its chances.
    @param {AdvicePlay} m
    @param {string} own */
function shortRow(m, own) {
  const mine = m.move === own;
  return h(
    "tr",
    { tabindex: 0, "aria-selected": String(m.rank === 1), class: mine ? "own" : "" },
    td(String(m.rank), "n"),
    td([m.move || _`cannot move`, mine && h("small", {}, _`your play`)], "move"),
    td([m.rank > 1 && h("small", {}, signed(m.diff)), signed(m.equity)], "n"),
  );
}

/** tick is the box of a play that may be chosen. */
function tick(m, chosen) {
  const box = h("input", { type: "checkbox", checked: chosen.has(m.move), "aria-label": _`Roll out ${m.move}` });
  for (const kind of ["click", "keydown"]) box.addEventListener(kind, (e) => e.stopPropagation());
  box.addEventListener("change", () => (box.checked ? chosen.add(m.move) : chosen.delete(m.move)));
  return h("label", { class: "tick" }, box, String(m.rank));
}

/** cubeTable shows the equities of a cube decision: no double, and each answer to one.
    @param {Evaluation} v */
export function cubeTable(v) {
  if (!v.cube) {
    const [live, dead] = [v.cubeful_equity, v.cubeless_equity].map((e) => signed(e));
    const text = _`Equity ${live} with the cube, ${dead} without it. The cube cannot be turned.`;
    return h("div", {}, chances(v.probs), h("p", {}, text));
  }
  const heads = [_`Cube`, [_`Equity`, "n"]];
  if (v.cube.equity_stderr) heads.push("");
  heads.push([_`Difference`, "n"]);
  if (v.cube.mwc) heads.push([_`Match`, "n"]);
  const depth = _`${v.plies}-ply · cubeless ${signed(v.cubeless_equity)} · ${phrase(v.class)}`;
  const how = h("p", { class: "dim" }, v.cube.trials ? _`rolled out` + " · " : "", depth);
  return h("div", {}, chances(v.probs), headed(heads, cubeRows(v.cube)), how);
}

/** cubeRows has a row for each end of a cube decision.
    @param {AdviceCube} c */
function cubeRows(c) {
  const beaver = c.double_beaver ?? Infinity;
  const best = Math.max(c.no_double, Math.min(c.double_take, c.double_pass, beaver));
  const [before = 0, after = 0] = c.equity_stderr ?? [];
  const row = (name, equity, error, mwc) => {
    const cells = [td(name), td(signed(equity), "n")];
    if (c.equity_stderr) cells.push(td(plusMinus(error), "n dim"));
    cells.push(td(Math.abs(equity - best) < 5e-7 ? "" : signed(equity - best), "n dim"));
    if (c.mwc) cells.push(td(percent(mwc, 2), "n dim"));
    return tr(...cells);
  };
  const mwc = c.mwc ?? [];
  const again = /redouble/i.test(c.words);
  return [
    row(again ? _`No redouble` : _`No double`, c.no_double, before, mwc[0]),
    row(again ? _`Redouble, take` : _`Double, take`, c.double_take, after, mwc[1]),
    isFinite(beaver) && row(again ? _`Redouble, beaver` : _`Double, beaver`, beaver, 2 * after, undefined),
    row(again ? _`Redouble, pass` : _`Double, pass`, c.double_pass, 0, mwc[2]),
  ].filter(Boolean);
}
