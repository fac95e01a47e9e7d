// Error rates, luck, ratings and results over time, as charts.

import { bars, chart, splitRows } from "./charts.js";
import { $, _, ask, filled, fixed, h, locale, phrase, show, signed } from "./site.js";
import { shallow, starred, td, tr } from "./tables.js";
import { quizAt, themeLinks } from "./themes.js";

/** @import { HistoryTrends, StatisticColumn } from "../api.d.ts" */

const form = $("filter");
let asking = null;

const day = (at) =>
  at ? new Date(at).toLocaleDateString(locale(), { year: "numeric", month: "short", day: "numeric" }) : "";

/** draw shows what the server answered: the trends as charts, and a row for each opponent.
    @param {HistoryTrends} trends */
async function draw(trends, by) {
  const cards = [...lineCharts(trends), ...barCharts(trends), cubeChart(trends)];
  // What has nothing to draw comes last, so that it leaves no hole.
  const [drawn, empty] = [true, false].map((is) => cards.filter((c) => !!c.querySelector("svg") === is));
  $("charts").replaceChildren(...drawn, ...empty);
  const name = (r) => h("button", { type: "button", class: "link", onclick: () => only(r.key) }, r.key);
  await table($("by"), _`Opponent`, by.slice(0, 50), name);
}

/** trend is one chart over time; each line is its name and that of its figures.
    @param {HistoryTrends} trends
    @param {string[][]} lines */
function trend({ first, last, lines: figures, shallow: marked }, title, digits, note, ...lines) {
  const drawn = lines.map(([name, key]) => ({ name, values: figures[key] ?? [], shallow: marked.includes(key) }));
  return chart(title, drawn, digits, [day(first), day(last)], note);
}

/** averaged ends the title of a chart whose values are means.
    @param {HistoryTrends} trends */
const averaged = ({ span }) => (span > 1 ? _`, mean of ${span} matches` : "");

const twoJudged = () => _`Needs two analysed matches with a known day (analyse some in Matches).`;

/** lineCharts are those of errors, luck, results and ratings.
    @param {HistoryTrends} trends */
function lineCharts(trends) {
  const me = trends.account ?? _`account`;
  const mean = averaged(trends);
  const judged = twoJudged();
  const theirs = [_`opponents`, "opponent_pr"];
  const plays = [_`checker play`, "checker_pr"];
  const cube = [_`cube`, "cube_pr"];
  return [
    trend(trends, _`Performance rating (PR), lower is better` + mean, 1, judged, [me, "pr"], theirs),
    trend(trends, _`Checker play and cube (PR of each)` + mean, 1, judged, plays, cube),
    trend(trends, _`Luck minus the opponent's luck` + mean, 2, judged, [_`luck, in points`, "luck"]),
    trend(trends, _`Wins minus losses`, 0, _`Needs two matches with a known day.`, [me, "balance"]),
    trend(trends, _`Rating`, 0, _`These matches have no ratings.`, [me, "rating"]),
  ];
}

/** cubeChart has what the cube costs, by the kind of error.
    @param {HistoryTrends} trends */
function cubeChart(trends) {
  const not = [_`not doubling`, "not_doubling"];
  const doubling = [_`doubling`, "doubling"];
  const answering = [_`taking and passing`, "answering"];
  const title = _`Cube loss in points per match` + averaged(trends);
  return trend(trends, title, 3, twoJudged(), not, doubling, answering);
}

/** barCharts compare the player with the opponents.
    @param {HistoryTrends} trends */
function barCharts({ account, splits }) {
  const sides = [account ?? _`account`, _`opponents`];
  const none = _`No analysed matches.`;
  const noErrors = _`No cube errors found.`;
  return [
    bars(_`PR by phase`, sides, splitRows(splits.phase, "pr"), 1, none),
    bars(_`PR by game plan`, sides, splitRows(splits.plan, "pr"), 1, none),
    bars(_`Cube errors, loss per match`, sides, splitRows(splits.cube, "error_per_match"), 3, noErrors),
  ];
}

/** drawThemes leads to a quiz of the errors that cost most, over all matches. */
async function drawThemes(q) {
  const player = q.get("account");
  try {
    const { themes } = await ask("GET", "/quiz/sources?" + new URLSearchParams({ player }), undefined, asking.signal);
    $("themes").hidden = !themes.length;
    $("theme-links").replaceChildren(
      h("a", { class: "button primary", href: quizAt({ player, worst: 3 }) }, _`Practise these errors`),
      ...themeLinks(themes.slice(0, 3), { player }),
    );
  } catch (err) {
    if (err.name !== "AbortError") $("themes").hidden = true; // no quiz here
  }
}

/** columns are the statistics, as the program lists them.
    @type {Promise<StatisticColumn[]>} */
const columns = ask("GET", "/statistics/columns");

/** columnClass is the class of a column; narrow screens hide the spare ones. */
const columnClass = (c) => (c.core ? "n" : "n spare");

/** heads are the headings of a table of statistics; first is that of its names. */
const heads = async (first) => {
  const head = (c) =>
    h("th", { class: columnClass(c), scope: "col", title: c.unit && phrase(c.unit) }, phrase(c.label));
  return tr(h("th", { class: "name", scope: "col" }, first), ...(await columns).map(head));
};

/** written is a statistic in the format of its column.
    @param {StatisticColumn} c */
function written(v, c) {
  if (v === null || v === undefined) return "–";
  if (c.time) return new Date(v).toLocaleDateString(locale());
  if (c.percent) v *= 100;
  return c.signed ? signed(v, c.digits) : fixed(v, c.digits);
}

/** range is the interval of a statistic in small print, or says that it is of one match. */
function range(r, c) {
  const ends = r[c.name + "_interval"];
  if (ends) return h("small", {}, ` ${written(ends[0], c)} … ${written(ends[1], c)}`);
  return c.one && typeof r[c.name] === "number" ? h("small", {}, " ", _`1 match`) : "";
}

/** sumCells are the cells of a row of statistics, but for its name. */
const sumCells = async (r) =>
  (await columns).map((c) =>
    td([starred(written(r[c.name], c), c.marked && r[c.marked]), range(r, c)], columnClass(c)),
  );

/** table fills a table with a row of statistics for each of list, and notes below them. */
async function table(el, first, list, name) {
  const head = await heads(first);
  const rows = [];
  for (const r of list) rows.push(tr(td(name(r), "name"), ...(await sumCells(r))));
  const note = (text, kind) => rows.push(tr(h("td", { class: kind, colspan: head.children.length }, text)));
  const plies = list.map((r) => r.luck_plies).filter((v) => typeof v === "number");
  if (plies.length) {
    const ends = new Set([Math.min(...plies), Math.max(...plies)]);
    const from = [...ends].map((v) => fixed(v, 1)).join("–");
    note(_`Luck is judged at ${from} plies on average.`, "dim");
  }
  if (list.some((r) => r.shallow || r.opponent_shallow)) note(shallow(), "dim");
  if (!list.length) note(_`No matches found.`, "empty");
  el.tHead.replaceChildren(head);
  el.tBodies[0].replaceChildren(...rows);
}

/** only shows the matches against one opponent. */
function only(name) {
  form.elements.opponent.value = name;
  load();
  form.elements.opponent.focus();
}

async function load() {
  asking?.abort();
  asking = new AbortController();
  const q = filled(form);
  if (!q.has("account")) q.set("account", "me"); // anyone where my names are not set
  for (const el of form.elements) el.removeAttribute("aria-invalid");
  try {
    const [trends, by] = await Promise.all([
      ask("GET", `/statistics/trends?limit=1000&${q}`, undefined, asking.signal),
      ask("GET", `/statistics?by=opponent&${q}`, undefined, asking.signal),
    ]);
    show($("filter-error"), null);
    await Promise.all([draw(trends, by), drawThemes(q)]);
  } catch (err) {
    if (err.name !== "AbortError") {
      show($("filter-error"), err, err.field ? form.querySelector(`[name="${CSS.escape(err.field)}"]`) : null);
    }
  }
}

/* Two players */

async function compare() {
  const q = filled($("compare"));
  $("players").hidden = !q.size;
  if (!q.size) return show($("compare-error"), null);
  try {
    const list = await ask("GET", "/statistics?" + q);
    show($("compare-error"), null);
    await table($("players"), _`Player`, list, (r) => r.key);
  } catch (err) {
    show($("compare-error"), err);
  }
}
let comparing = 0;
$("compare").addEventListener("input", () => {
  clearTimeout(comparing);
  comparing = setTimeout(compare, 200);
});
$("compare").addEventListener("submit", (e) => e.preventDefault());

let timer = 0;
form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(load, 200);
});
form.addEventListener("submit", (e) => e.preventDefault());
load();
