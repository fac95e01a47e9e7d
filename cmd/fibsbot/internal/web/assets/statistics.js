// Error rates, luck, ratings and results over time, as charts.

import { bars, chart, splitRows } from "./charts.js";
import { $, _, ask, filled, fixed, h, locale, phrase, show, signed, toast } from "./site.js";
import { shallow, starred, td, tr } from "./tables.js";
import { quizAt, themeCost, themeFilter, themeLinks, themeName } from "./themes.js";

/** @import { FoundPosition, HistoryHeadline, HistoryTrends, StatisticColumn } from "../api.d.ts" */

const form = $("filter");
/** chosen are the IDs of the matches that the address names, to be summed up alone. */
const chosen = new URLSearchParams(location.search).getAll("id");
let asking = null;

const day = (at) =>
  at ? new Date(at).toLocaleDateString(locale(), { year: "numeric", month: "short", day: "numeric" }) : "";

/** draw shows what the server answered: the trends as charts, and a row for each opponent.
    @param {HistoryTrends} trends */
async function draw(trends, by) {
  drawHeadline(trends.headline, by, await whose(trends));
  const cards = [...lineCharts(trends), ...barCharts(trends), cubeChart(trends)];
  const drawn = cards.filter((c) => c.querySelector("svg"));
  $("charts").replaceChildren(...drawn, ...missing(cards.filter((c) => !drawn.includes(c))));
  const name = (r) => h("button", { type: "button", class: "link", onclick: () => only(r.key) }, r.key);
  await table($("by"), _`Opponent`, by.slice(0, 50), name);
}

/** whose is the name of the PR: mine, or that of several accounts that no one has said to be mine.
    @param {HistoryTrends} trends */
async function whose({ account }) {
  if (form.elements.account.value) return _`PR`;
  if (account) return _`My PR`;
  const { names, configured } = await ask("GET", "/me");
  return names.length + configured.length ? _`My PR` : _`PR of all accounts`;
}

/** drawHeadline says how the player does: matches, PR with its level and trend, luck; of chosen
    matches the result, by opponents, instead of the trend. whose is the name of the PR.
    @param {HistoryHeadline} v */
function drawHeadline(v, by, whose) {
  const figure = (name, value, about) =>
    h("div", {}, h("dt", {}, name), h("dd", {}, value, about && h("small", {}, about)));
  const [low, high] = v.pr_interval ?? [];
  const out = [];
  const sum = (name) => by.reduce((n, r) => n + r[name], 0);
  if (chosen.length) {
    const points = _`points ${sum("points_for")}–${sum("points_against")}`;
    out.push(figure(_`Result`, `${sum("won")}–${sum("lost")}`, points));
  }
  if (v.pr !== null) {
    const range = v.pr_interval ? _`${fixed(low, 1)} to ${fixed(high, 1)}` : "";
    out.push(figure(whose, fixed(v.pr, 1), [v.level && phrase(v.level), range].filter(Boolean).join(" · ")));
    if (!chosen.length) out.push(figure(_`Trend`, ...trendWords(v)));
  }
  if (v.luck !== null) out.push(figure(_`Luck`, signed(v.luck, 2), _`points per match, opponent's luck deducted`));
  out.push(figure(_`Matches`, String(v.matches), _`${v.analysed} analysed`));
  if (!chosen.length) out.push(figure(_`Worst theme`, "–")); // drawThemes names it
  $("headline").replaceChildren(...out);
  $("headline").hidden = !v.matches;
}

/** trendWords are the PR of the newest matches, and that of those before them.
    @param {HistoryHeadline} v
    @returns {[string, string]} */
function trendWords(v) {
  if (v.recent_pr === null || v.before_pr === null) return ["–", _`needs 6 analysed matches with a date`];
  const [now, before] = [v.recent_pr, v.before_pr].map((x) => fixed(x, 1));
  const mark = now === before ? "→" : v.recent_pr < v.before_pr ? "↓" : "↑";
  const word = now === before ? _`unchanged` : v.recent_pr < v.before_pr ? _`better` : _`worse`;
  return [`${mark} ${now}`, _`${word}: the last ${v.window} matches, before them ${before}`];
}

/** missing is one card for all charts without data: it names them by what they need. */
function missing(cards) {
  if (!cards.length) return [];
  const by = new Map();
  for (const c of cards) {
    const why = c.querySelector(".empty").textContent;
    by.set(why, [...(by.get(why) ?? []), c.querySelector("h2").textContent]);
  }
  const part = ([why, titles]) => h("p", {}, h("strong", {}, titles.join(" · ")), h("br"), why);
  return [h("section", { class: "card", id: "missing" }, h("h2", {}, _`No data yet`), ...[...by].map(part))];
}

/** needs says what charts over time lack, and what to do.
    @param {HistoryHeadline} v */
function needs(v) {
  if (!v.matches) return _`No matches: play one, or import match files in Matches.`;
  if (v.analysed < 2) {
    return _`${v.analysed} of ${v.matches} matches are analysed, two are needed: “Analyse all” in Matches.`;
  }
  const [some, all] = [v.undated, v.analysed];
  return _`${some} of ${all} analysed matches have no date, two with one are needed: open a match, Edit sets it.`;
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

/** lineCharts are those of errors, luck, results and ratings.
    @param {HistoryTrends} trends */
function lineCharts(trends) {
  const me = trends.account ?? _`account`;
  const mean = averaged(trends);
  const judged = needs(trends.headline);
  const theirs = [_`opponents`, "opponent_pr"];
  const plays = [_`checker play`, "checker_pr"];
  const cube = [_`cube`, "cube_pr"];
  return [
    trend(trends, _`Performance rating (PR), lower is better` + mean, 1, judged, [me, "pr"], theirs),
    trend(trends, _`Checker play and cube (PR of each)` + mean, 1, judged, plays, cube),
    trend(trends, _`Luck minus the opponent's luck` + mean, 2, judged, [_`luck, in points`, "luck"]),
    trend(trends, _`Wins minus losses`, 0, judged, [me, "balance"]),
    trend(trends, _`Rating`, 0, _`The files of these matches name no ratings; matches on a server have them.`, [
      me,
      "rating",
    ]),
  ];
}

/** cubeChart has what the cube costs, by the kind of error.
    @param {HistoryTrends} trends */
function cubeChart(trends) {
  const not = [_`not doubling`, "not_doubling"];
  const doubling = [_`doubling`, "doubling"];
  const answering = [_`taking and passing`, "answering"];
  const title = _`Cube loss in points per match` + averaged(trends);
  return trend(trends, title, 3, needs(trends.headline), not, doubling, answering);
}

/** barCharts compare the player with the opponents.
    @param {HistoryTrends} trends */
function barCharts({ account, splits, headline }) {
  const sides = [account ?? _`account`, _`opponents`];
  const none = needs(headline);
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
    const [worst] = themes;
    if (!worst) return;
    const link = h("a", { href: quizAt({ player, ...themeFilter(worst) }) }, themeName(worst));
    $("headline").lastElementChild.lastElementChild.replaceChildren(link, themeCost(worst));
  } catch (err) {
    if (err.name !== "AbortError") $("themes").hidden = true; // no quiz here
  }
}

/** drawWorst lists the worst errors of the chosen matches, with a way to each. */
async function drawWorst() {
  const asks = { in: "errors", player: "me", matches: chosen, limit: 500 };
  try {
    /** @type {FoundPosition[]} */
    const found = (await ask("POST", "/search", asks, asking.signal)).found;
    const row = (f) => {
      const { dice } = f.position;
      const name = dice.length ? _`Play ${dice.join("-")}.` : _`Cube`;
      const about = [_`${f.player}: ${phrase(f.played)}`, _`best ${phrase(f.best)}`].join(", ");
      const href = `/matches/${f.match}#g${f.game}m${f.number}`;
      return h("li", {}, h("a", { href }, name), ` ${about} `, h("strong", { class: "n" }, signed(-f.loss)));
    };
    const worst = found.sort((a, b) => b.loss - a.loss).slice(0, 10);
    $("worst").hidden = !worst.length;
    $("worst")
      .querySelector("ol")
      .replaceChildren(...worst.map(row));
  } catch (err) {
    if (err.name !== "AbortError") toast(err.message);
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
    note(_`Luck is judged at ${from}-ply on average.`, "dim");
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
  if (!q.has("account")) q.set("account", chosen.length ? "*" : "me"); // anyone where my names are not set
  for (const id of chosen) q.append("id", id);
  for (const el of form.elements) el.removeAttribute("aria-invalid");
  try {
    const [trends, by] = await Promise.all([
      ask("GET", `/statistics/trends?limit=1000&${q}`, undefined, asking.signal),
      ask("GET", `/statistics?by=opponent&${q}`, undefined, asking.signal),
    ]);
    show($("filter-error"), null);
    await draw(trends, by);
    await (chosen.length ? drawWorst() : drawThemes(q));
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
$("of").hidden = !chosen.length;
form.hidden = chosen.length > 0;
$("of").firstElementChild.textContent = chosen.length === 1 ? _`1 match chosen` : _`${chosen.length} matches chosen`;
load();
