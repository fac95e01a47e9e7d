// Charts: lines over matches, and bars that compare two sides.

import { _, fixed, h, phrase, s } from "./site.js";
import { shallow, starred } from "./tables.js";

/** @import { IndexSplitStats } from "../api.d.ts" */

/** Line is one of a chart: null where there is no value; shallow is the mark of its name.
    @typedef {{ name: string, values: (number | null)[], shallow: boolean }} Line */

/** Row compares two sides: their figures, a sentence about each, and their marks.
    @typedef {{ name: string, values: (number | null)[], about: string[], shallow: boolean[] }} Row */

/** Axis reaches from low to high, with a line at each step.
    @typedef {{ low: number, high: number, step: number }} Axis */

/** The size of a drawing of lines, and its margins. */
const size = { width: 460, height: 210, left: 46, right: 12, top: 14, bottom: 30 };

/** The size of a drawing of bars, that of its rows, and the room for the figures on the right. */
const barSize = { width: 460, row: 46, right: 52 };

const present = (values) => values.filter((v) => v !== null);

/** nice is the least of 1, 2 and 5 times a power of ten that is not below v. */
function nice(v) {
  const p = 10 ** Math.floor(Math.log10(v));
  return p * ([1, 2, 5, 10].find((k) => k * p >= v) ?? 10);
}

/** axisOf is the axis for values, in steps of at least 1 for whole ones.
    @returns {Axis} */
export function axisOf(values, whole) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const step = Math.max(nice((high - low || 1) / 4), whole ? 1 : 0);
  const some = 1e-9; // of a step: what sums are off by
  const least = Math.floor(low / step + some) * step;
  return { low: least, high: Math.max(least + step, Math.ceil(high / step - some) * step), step };
}

/** chart draws lines over the matches, oldest first, with that many decimals. ends are the texts
    below the first and the last; note stands in the place of a drawing of less than two values.
    said is a line in words.
    @param {Line[]} lines
    @param {[string, string]} ends */
export function chart(title, lines, digits, ends, note, said = (l) => spoken(l, digits)) {
  const all = present(lines.flatMap((l) => l.values));
  if (all.length < 2) return emptyCard(title, note);
  const axis = axisOf(all, !digits);
  const svg = drawing(size.height, `${title}: ` + lines.map(said).join("; "));
  const y = (v) => {
    const room = size.height - size.top - size.bottom;
    return size.top + (room * (axis.high - v)) / (axis.high - axis.low);
  };
  svg.append(...grid(axis, y));
  const n = Math.max(2, ...lines.map((l) => l.values.length));
  const x = (i) => size.left + ((size.width - size.left - size.right) * i) / (n - 1);
  lines.forEach((l, k) => {
    const points = l.values.flatMap((v, i) => (v === null ? [] : [[x(i), y(v)].map((q) => q.toFixed(1))]));
    svg.append(...curve(points, k + 1));
  });
  const base = size.height - 8;
  svg.append(
    s("text", { x: size.left, y: base }, ends[0] || _`oldest`),
    s("text", { x: size.width - size.right, y: base, "text-anchor": "end" }, ends[1] || _`newest`),
  );
  const names = lines.map((l) => starred(l.name, l.shallow));
  return card(
    title,
    svg,
    names,
    lines.some((l) => l.shallow),
  );
}

/** spoken is a line in words.
    @param {Line} line */
function spoken({ name, values }, digits) {
  const v = present(values);
  if (!v.length) return "";
  const [first, last] = [v[0], v[v.length - 1]].map((q) => fixed(q, digits));
  return _`${name} from ${first} to ${last} over ${v.length} matches`;
}

/** grid has a line and a figure for each step of an axis.
    @param {Axis} axis */
function grid({ low, high, step }, y) {
  const out = [];
  for (let v = low; v <= high + step / 2; v += step) {
    out.push(
      s("line", { class: "grid-line", x1: size.left, x2: size.width - size.right, y1: y(v), y2: y(v) }),
      s("text", { x: size.left - 8, y: y(v) + 4, "text-anchor": "end" }, fixed(v, step < 1 ? 2 : 0)),
    );
  }
  return out;
}

/** curve is line number k through points, which are marked if they are not too many. */
function curve(points, k) {
  const line = { class: `c${k}`, points: points.map((p) => p.join(",")).join(" "), "stroke-linejoin": "round" };
  const dots = points.length <= 60 ? points : [];
  return [s("polyline", line), ...dots.map(([cx, cy]) => s("circle", { class: `p${k}`, cx, cy, r: 3 }))];
}

/** bars compares two sides over kinds of decisions, with that many decimals. note stands in the
    place of a drawing without rows.
    @param {string[]} names
    @param {Row[]} rows */
export function bars(title, names, rows, digits, note) {
  if (!rows.length) return emptyCard(title, note);
  const figure = (r, i) => (r.values[i] === null ? "–" : fixed(r.values[i], digits) + (r.shallow[i] ? "*" : ""));
  const words = rows.map((r) => `${r.name} ${names.map((n, i) => `${n} ${figure(r, i)}`).join(", ")}`);
  const svg = drawing(rows.length * barSize.row + 6, `${title}: ` + words.join("; "));
  const left = Math.max(90, Math.min(190, 18 + Math.max(...rows.map((r) => widthOf(r.name)))));
  const scale = (barSize.width - left - barSize.right) / Math.max(1e-9, ...rows.flatMap((r) => present(r.values)));
  rows.forEach((r, k) => {
    const top = k * barSize.row + 8;
    svg.append(s("text", { x: left - 10, y: top + 20, "text-anchor": "end" }, r.name));
    r.values.forEach((v, i) => {
      const width = scale * (v ?? 0);
      const least = v === null ? 0 : 1.5; // a loss of 0 shows as well
      const place = { x: left, y: top + 16 * i, width: Math.max(least, width).toFixed(1), height: 13, rx: 3 };
      svg.append(
        s("rect", { class: `p${i + 1}`, ...place }, s("title", {}, r.about[i])),
        s("text", { x: (left + width + 6).toFixed(1), y: top + 16 * i + 11 }, figure(r, i)),
      );
    });
  });
  return card(
    title,
    svg,
    names,
    rows.some((r) => r.shallow.some(Boolean)),
  );
}

/** widthOf is the width of a name in a drawing: its letters have some 6.6 units, those of East
    Asia twice that. */
const widthOf = (name) => [...name].reduce((n, c) => n + (c > "\u2e80" ? 13.2 : 6.6), 0);

/** splitRows are the rows of bars over the kinds of decisions that list has; of takes the figure shown.
    @param {IndexSplitStats[]} list
    @param {"pr" | "error_per_match"} of
    @returns {Row[]} */
export const splitRows = (list, of) =>
  [...new Set(list.map((x) => x.name))].map((name) => {
    const both = ["account", "opponents"].map((side) => list.find((x) => x.name === name && x.side === side));
    return {
      name: phrase(name),
      values: both.map((x) => x?.[of] ?? null),
      about: both.map((x) => _`${x?.decisions ?? 0} decisions, loss ${fixed(x?.error_total ?? 0, 2)}`),
      shallow: both.map((x) => x?.shallow > 0),
    };
  });

const drawing = (height, label) =>
  s("svg", { class: "chart", viewBox: `0 0 ${size.width} ${height}`, role: "img", "aria-label": label });

const emptyCard = (title, note) =>
  h("section", { class: "card" }, h("h2", {}, title), h("p", { class: "empty" }, note));

/** card is a drawing below its title, with its legend, and what the mark of figures means. */
function card(title, svg, names, marked) {
  const legend = names.map((name, k) => h("span", {}, h("i", { class: `p${k + 1}` }), name));
  const note = marked && h("p", { class: "dim" }, shallow());
  return h("section", { class: "card" }, h("h2", {}, title), svg, h("p", { class: "legend" }, ...legend), note);
}
