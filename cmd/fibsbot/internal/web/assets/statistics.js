// Error rates, luck, ratings and results over time, as charts.

import { $, _, ask, filled, fixed, h, locale, phrase, s, show, signed } from "./site.js";
import { shallow, starred } from "./tables.js";
import { quizAt, themeLinks } from "./themes.js";

const form = $("filter");
let asking = null;

const day = (at) =>
  at ? new Date(at).toLocaleDateString(locale(), { year: "numeric", month: "short", day: "numeric" }) : "";
let span0 = "";
let span1 = ""; // the days of the first and the last match shown

/** chart draws lines over the matches, oldest first. Each line is {name, values, shallow}, with null for nothing. */
function chart(title, lines, digits, note) {
  const W = 460;
  const H = 210;
  const L = 46;
  const R = 12;
  const T = 14;
  const B = 30;
  const all = lines.flatMap((l) => l.values).filter((v) => v !== null);
  const card = h("section", { class: "card" }, h("h2", {}, title));
  if (all.length < 2) {
    card.append(h("p", { class: "empty" }, note));
    return card;
  }
  let low = Math.min(...all);
  let high = Math.max(...all);
  const step = Math.max(nice((high - low || 1) / 4), digits ? 0 : 1); // counts are whole
  low = Math.floor(low / step) * step;
  high = Math.max(low + step, Math.ceil(high / step) * step);
  const n = Math.max(2, ...lines.map((l) => l.values.length));
  const x = (i) => L + ((W - L - R) * i) / (n - 1);
  const y = (v) => T + ((H - T - B) * (high - v)) / (high - low);
  const svg = s("svg", {
    class: "chart",
    viewBox: `0 0 ${W} ${H}`,
    role: "img",
    "aria-label":
      `${title}: ` +
      lines
        .map((l) => {
          const v = l.values.filter((q) => q !== null);
          return v.length
            ? _`${l.name} from ${fixed(v[0], digits)} to ${fixed(v[v.length - 1], digits)} over ${v.length} matches`
            : "";
        })
        .join("; "),
  });
  for (let v = low; v <= high + step / 2; v += step) {
    svg.append(
      s("line", { class: "grid-line", x1: L, x2: W - R, y1: y(v), y2: y(v) }),
      s("text", { x: L - 8, y: y(v) + 4, "text-anchor": "end" }, fixed(v, step < 1 ? 2 : 0).replace("-", "−")),
    );
  }
  lines.forEach((l, k) => {
    const points = l.values.map((v, i) => (v === null ? null : [x(i), y(v)])).filter(Boolean);
    svg.append(
      s("polyline", {
        class: `c${k + 1}`,
        points: points.map((p) => p.map((q) => q.toFixed(1)).join(",")).join(" "),
        "stroke-linejoin": "round",
      }),
    );
    if (points.length <= 60) {
      for (const [px, py] of points) {
        svg.append(s("circle", { class: `p${k + 1}`, cx: px.toFixed(1), cy: py.toFixed(1), r: 3 }));
      }
    }
  });
  svg.append(
    s("text", { x: L, y: H - 8 }, span0 || _`oldest`),
    s("text", { x: W - R, y: H - 8, "text-anchor": "end" }, span1 || _`newest`),
  );
  card.append(
    svg,
    h(
      "p",
      { class: "legend" },
      ...lines.map((l, k) => h("span", {}, h("i", { class: `p${k + 1}` }), starred(l.name, l.shallow))),
    ),
  );
  if (lines.some((l) => l.shallow)) card.append(noted());
  return card;
}

/** noted explains the mark of figures below a drawing. */
const noted = () => h("p", { class: "dim" }, shallow());

/** bars compares two sides over kinds of decisions. Each row is {name, values: [a, b], about: [a, b], shallow: [a, b]}. */
function bars(title, names, rows, digits, note) {
  const card = h("section", { class: "card" }, h("h2", {}, title));
  if (!rows.length) {
    card.append(h("p", { class: "empty" }, note));
    return card;
  }
  // As wide as the longest name: its letters are some 6.6 units of the drawing, those of East
  // Asia twice that.
  const wide = (name) => [...name].reduce((n, c) => n + (c > "\u2e80" ? 13.2 : 6.6), 0);
  const W = 460;
  const L = Math.max(90, Math.min(190, 18 + Math.max(...rows.map((r) => wide(r.name)))));
  const R = 52;
  const ROW = 46;
  const H = rows.length * ROW + 6;
  const high = Math.max(1e-9, ...rows.flatMap((r) => r.values.map((v) => v ?? 0)));
  const shown = (r, i) => (r.values[i] === null ? "–" : fixed(r.values[i], digits) + (r.shallow[i] ? "*" : ""));
  const svg = s("svg", {
    class: "chart",
    viewBox: `0 0 ${W} ${H}`,
    role: "img",
    "aria-label":
      `${title}: ` + rows.map((r) => `${r.name} ${names.map((n, i) => `${n} ${shown(r, i)}`).join(", ")}`).join("; "),
  });
  rows.forEach((r, k) => {
    const y = k * ROW + 8;
    svg.append(s("text", { x: L - 10, y: y + 20, "text-anchor": "end" }, r.name));
    r.values.forEach((v, i) => {
      const w = v === null ? 0 : ((W - L - R) * v) / high;
      const bar = s(
        "rect",
        {
          class: `p${i + 1}`,
          x: L,
          y: y + 16 * i,
          width: Math.max(v === null ? 0 : 1.5, w).toFixed(1),
          height: 13,
          rx: 3,
        },
        s("title", {}, r.about[i]),
      );
      svg.append(bar, s("text", { x: (L + w + 6).toFixed(1), y: y + 16 * i + 11 }, shown(r, i)));
    });
  });
  card.append(
    svg,
    h("p", { class: "legend" }, ...names.map((n, k) => h("span", {}, h("i", { class: `p${k + 1}` }), n))),
  );
  if (rows.some((r) => r.shallow.some(Boolean))) card.append(noted());
  return card;
}

/** kinds are the rows of bars over the kinds of decisions that list has; of takes the figure shown. */
const kinds = (list, of) =>
  [...new Set(list.map((x) => x.name))].map((name) => {
    const both = ["account", "opponents"].map((side) => list.find((x) => x.name === name && x.side === side));
    return {
      name: phrase(name),
      values: both.map((x) => x?.[of] ?? null),
      about: both.map((x) => _`${x?.decisions ?? 0} decisions, loss ${fixed(x?.error_total ?? 0, 2)}`),
      shallow: both.map((x) => x?.shallow > 0),
    };
  });

function nice(v) {
  const p = 10 ** Math.floor(Math.log10(v));
  return p * ([1, 2, 5, 10].find((k) => k * p >= v) ?? 10);
}

async function draw({ account, first, last, span, lines, shallow: marked, splits }, by) {
  const judged = _`Needs two analysed matches with a known day (analyse some in Matches).`;
  const trend = span > 1 ? _`, mean of ${span} matches` : "";
  [span0, span1] = [day(first), day(last)];
  const me = account ?? _`account`;
  const sides = [me, _`opponents`];
  const lined = (...names) =>
    names.map(([name, key]) => ({ name, values: lines[key] ?? [], shallow: marked.includes(key) }));
  const cards = [
    chart(
      _`Performance rating (PR), lower is better` + trend,
      lined([me, "pr"], [_`opponents`, "opponent_pr"]),
      1,
      judged,
    ),
    chart(
      _`Checker play and cube (PR of each)` + trend,
      lined([_`checker play`, "checker_pr"], [_`cube`, "cube_pr"]),
      1,
      judged,
    ),
    chart(_`Luck minus the opponent's luck` + trend, lined([_`luck, in points`, "luck"]), 2, judged),
    chart(_`Wins minus losses`, lined([me, "balance"]), 0, _`Needs two matches with a known day.`),
    chart(_`Rating`, lined([me, "rating"]), 0, _`These matches have no ratings.`),
    bars(_`PR by phase`, sides, kinds(splits.phase, "pr"), 1, _`No analysed matches.`),
    bars(_`PR by game plan`, sides, kinds(splits.plan, "pr"), 1, _`No analysed matches.`),
    bars(_`Cube errors, loss per match`, sides, kinds(splits.cube, "error_per_match"), 3, _`No cube errors found.`),
    chart(
      _`Cube loss in points per match` + trend,
      lined([_`not doubling`, "not_doubling"], [_`doubling`, "doubling"], [_`taking and passing`, "answering"]),
      3,
      judged,
    ),
  ];
  // What has nothing to draw comes last, so that it leaves no hole.
  $("charts").replaceChildren(
    ...cards.filter((c) => c.querySelector("svg")),
    ...cards.filter((c) => !c.querySelector("svg")),
  );
  await table($("by"), _`Opponent`, by.slice(0, 50), (r) =>
    h("button", { type: "button", class: "link", onclick: () => only(r.key) }, r.key),
  );
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

/** columns are the statistics, as the program lists them. */
const columns = ask("GET", "/statistics/columns");

/** columnClass is the class of a column; narrow screens hide the spare ones. */
const columnClass = (c) => (c.core ? "n" : "n spare");

/** heads are the headings of a table of statistics; first is that of its names. */
const heads = async (first) =>
  h(
    "tr",
    {},
    h("th", { class: "name", scope: "col" }, first),
    ...(await columns).map((c) =>
      h("th", { class: columnClass(c), scope: "col", title: c.unit && phrase(c.unit) }, phrase(c.label)),
    ),
  );

/** written is a statistic in the format of its column. */
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
    h("td", { class: columnClass(c) }, starred(written(r[c.name], c), c.marked && r[c.marked]), range(r, c)),
  );

/** table fills a table with a row of statistics for each of list. */
async function table(el, first, list, name) {
  const head = await heads(first);
  const rows = [];
  for (const r of list) rows.push(h("tr", {}, h("td", { class: "name" }, name(r)), ...(await sumCells(r))));
  el.tHead.replaceChildren(head);
  el.tBodies[0].replaceChildren(...rows);
  const plies = list.map((r) => r.luck_plies).filter((v) => typeof v === "number");
  if (plies.length) {
    el.tBodies[0].append(
      h(
        "tr",
        {},
        h(
          "td",
          { class: "dim", colspan: head.children.length },
          _`Luck is judged at ${[...new Set([Math.min(...plies), Math.max(...plies)])].map((v) => fixed(v, 1)).join("–")} plies on average.`,
        ),
      ),
    );
  }
  if (list.some((r) => r.shallow || r.opponent_shallow)) {
    el.tBodies[0].append(h("tr", {}, h("td", { class: "dim", colspan: head.children.length }, shallow())));
  }
  if (!list.length) {
    el.tBodies[0].append(h("tr", {}, h("td", { class: "empty", colspan: head.children.length }, _`No matches found.`)));
  }
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
