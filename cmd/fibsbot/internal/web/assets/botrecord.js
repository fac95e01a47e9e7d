// What is known about a bot from all its starts, and the course of its match.

import { _, fixed, h, locale, percent, s } from "./site.js";
import { starred } from "./tables.js";

/** @import { OpsCount, OpsRecord, OpsTally } from "../api.d.ts" */

export const clock = (t) => new Date(t).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" });
export const day = (t) => new Date(t).toLocaleDateString(locale(), { month: "short", day: "numeric" }) + " " + clock(t);
const results = { won: _`won`, lost: _`lost`, unfinished: _`unfinished` };
const W = 300;
const H = 64;

/** spark draws values between low and high as a small line; marks are places of upright lines.
    @param {number[]} list */
function spark(list, low, high, label, marks = [], middle = null) {
  const x = (i) => (((W - 4) * i) / Math.max(1, list.length - 1) + 2).toFixed(1);
  const y = (v) => (H - 6 - ((H - 12) * (v - low)) / (high - low)).toFixed(1);
  const across = (at) => s("line", { class: "grid-line", x1: 0, x2: W, y1: y(at), y2: y(at) });
  return s(
    "svg",
    { viewBox: `0 0 ${W} ${H}`, class: "chart spark", role: "img", "aria-label": label },
    ...(middle === null ? [] : [across(middle)]),
    ...marks.filter(Boolean).map((i) => s("line", { class: "grid-line", x1: x(i), x2: x(i), y1: 0, y2: H })),
    s("polyline", { class: "c1", points: list.map((v, i) => `${x(i)},${y(v)}`).join(" ") }),
  );
}

/** course draws the chances of a match so far.
    @param {{ list: number[], starts: number[], match: boolean } | null} data */
export function course(to, data) {
  if (!data || data.list.length < 2) {
    to.replaceChildren();
    return;
  }
  const { list, starts, match } = data;
  const title = match ? _`Match winning chance` : _`Winning chance`;
  const last = percent(list[list.length - 1]);
  const label = `${title}: ` + _`from ${percent(list[0])} to ${last} over ${list.length} turns`;
  to.replaceChildren(h("p", { class: "dim" }, `${title}: ${last}`), spark(list, 0, 1, label, starts, 0.5));
}

/** ratings draws the ratings after the last matches. */
export function ratings(to, list) {
  if (!list || list.length < 2) {
    to.replaceChildren();
    return;
  }
  const low = Math.min(...list);
  const high = Math.max(...list);
  const [first, last] = [list[0], list[list.length - 1]].map((r) => fixed(r, 0));
  const label = _`Rating from ${first} to ${last} over ${list.length} matches`;
  to.replaceChildren(
    h("p", { class: "dim" }, _`Rating over ${list.length} matches, ${fixed(low, 0)} to ${fixed(high, 0)}`),
    spark(list, low, Math.max(high, low + 1), label),
  );
}

/** span is how many days a record counts. */
const span = 30;

const dayOf = (name) =>
  new Date(name).toLocaleDateString(locale(), { month: "short", day: "numeric", timeZone: "UTC" });

/** days draws the matches of each of the last days as bars; all are those of all days.
    @param {OpsTally[]} list */
function days(list, all) {
  const most = Math.max(1, ...list.map((d) => d.matches));
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const width = W / span;
  const sum = list.reduce((n, d) => n + d.matches, 0);
  // An account that began within these days has been there for fewer.
  const since = sum < all ? span : 1 + Math.round((today - Date.parse(list[0].name)) / 864e5);
  const text =
    since === 1
      ? _`Matches today: ${sum}`
      : _`Matches a day in ${since} days: ${fixed(sum / since, 1)}, at most ${most}`;
  const bars = list.flatMap((d) => {
    const at = span - 1 - Math.round((today - Date.parse(d.name)) / 864e5);
    if (at < 0 || at >= span) return [];
    const height = ((H - 4) * d.matches) / most;
    const place = { x: (at * width + 1).toFixed(1), y: (H - height).toFixed(1), width: width - 2, height };
    return [s("rect", { class: "p1", ...place }, s("title", { "data-data": true }, `${dayOf(d.name)}: ${d.matches}`))];
  });
  return [
    h("p", { class: "dim" }, text),
    s("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart spark", role: "img", "aria-label": text }, ...bars),
  ];
}

/** shares are the shares of a tally.
    @param {OpsTally} t */
function won(t) {
  if (t.win_rate === null) return "–";
  const iv = t.win_rate_interval;
  return percent(t.win_rate) + (iv ? ` (${percent(iv[0], 0)} – ${percent(iv[1], 0)})` : "");
}

const causes = {
  dial: _`no connection`,
  refused: _`login refused`,
  kicked: _`logged in elsewhere`,
  shutdown: _`the server stopped`,
  idle: _`idle for too long`,
  silent: _`the server was silent`,
  lost: _`the connection broke`,
  stuck: _`commands without effect`,
};

/** counted lists how often things happened.
    @param {OpsCount[]} list */
const counted = (title, list, name) => [
  h("h3", {}, title),
  h(
    "dl",
    { class: "figures" },
    ...list.flatMap((c) => [h("dt", {}, h("span", { "data-data": true }, name(c.name))), h("dd", {}, String(c.n))]),
  ),
];

/** record shows what the archive knows.
    @param {OpsRecord | undefined} r */
export function record(to, r) {
  if (!r) {
    to.replaceChildren();
    return;
  }
  const { all } = r;
  const head = [_`Opponent`, _`Matches`, _`Won`, _`Lost`, _`Unfinished`];
  to.replaceChildren(
    h(
      "dl",
      { class: "figures" },
      h("dt", {}, _`Matches`),
      h("dd", {}, String(all.matches)),
      h("dt", {}, _`Won`),
      h("dd", {}, won(all)),
      h("dt", {}, _`Unfinished`),
      h("dd", {}, String(all.unfinished)),
      h("dt", {}, _`Invitations`),
      h("dd", {}, _`${r.accepted} accepted in ${span} days`),
    ),
    ...(r.daily.length ? days(r.daily, all.matches) : []),
    ...(r.refused.length ? counted(_`Refused in ${span} days, by key of bot.yaml`, r.refused, (n) => n) : []),
    ...(r.lost.length ? counted(_`Disconnected in ${span} days`, r.lost, (n) => causes[n] ?? n) : []),
    ...(r.opponents.length
      ? [
          h("h3", {}, _`Most frequent opponents`),
          h(
            "div",
            { class: "wide", tabindex: 0, role: "region", "aria-label": _`Most frequent opponents` },
            h(
              "table",
              { class: "list" },
              h("thead", {}, h("tr", {}, ...head.map((n, i) => h("th", { scope: "col", class: i ? "n" : "name" }, n)))),
              h(
                "tbody",
                {},
                ...r.opponents.map((o) =>
                  h(
                    "tr",
                    {},
                    h("td", { class: "name", "data-data": true }, o.name),
                    ...[o.matches, o.won, o.lost, o.unfinished].map((n) => h("td", { class: "n" }, String(n))),
                  ),
                ),
              ),
            ),
          ),
        ]
      : []),
  );
}

/** matches shows the last and the saved ones. */
export function matches(to, { saved, ended }) {
  const table = (title, names, kinds, rows, none) =>
    h(
      "section",
      { class: "card" },
      h("h2", {}, title),
      rows.length
        ? h(
            "div",
            { class: "wide", tabindex: 0, role: "region", "aria-label": title },
            h(
              "table",
              { class: "list" },
              h("thead", {}, h("tr", {}, ...names.map((n, i) => h("th", { scope: "col", class: kinds[i] }, n)))),
              h("tbody", {}, ...rows.map((r) => h("tr", {}, ...r.map((x, i) => h("td", { class: kinds[i] }, x))))),
            ),
          )
        : h("p", { class: "dim" }, none),
    );
  to.replaceChildren(
    table(
      _`Last matches`,
      [_`Ended`, _`Account`, _`Opponent`, _`Length`, _`Result`, _`PR`, _`Rating`],
      ["", "name spare", "name", "spare", "", "n", "n spare"],
      ended
        .slice(0, 20)
        .map((m) => [
          day(m.at),
          m.account,
          m.opponent,
          m.length ? String(m.length) : _`unlimited`,
          h(
            "span",
            { class: m.result === "won" ? "win" : m.result === "lost" ? "lose" : "dim" },
            `${results[m.result] ?? m.result} ${m.score[0]}–${m.score[1]}`,
          ),
          m.pr === undefined ? "–" : starred(fixed(m.pr, 1), m.shallow),
          m.rating ? fixed(m.rating, 2) : "–",
        ]),
      _`None yet.`,
    ),
    table(
      _`Saved matches`,
      [_`Account`, _`Opponent`, _`Saved`],
      ["name", "name", ""],
      saved.slice(0, 50).map((m) => [m.account, m.opponent, day(m.at)]),
      _`None.`,
    ),
  );
}
