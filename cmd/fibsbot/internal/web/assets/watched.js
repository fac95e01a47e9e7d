// The match of others that an account watches, with the engine's opinion of it.

import { $, _, button, fixed, h, phrase, refill, show, signed } from "./site.js";
import { chart } from "./charts.js";
import { diceShown, statusOf } from "./playwords.js";
import { YOU } from "./sides.js";
import { chances, headed, td, tr } from "./tables.js";

/** @import { LobbyPlayer, LobbySeenDecision, LobbyWatched } from "../api.d.ts" */

/** Run sends a line as typed in the terminal. @typedef {(line: string) => Promise<void>} Run */

/** watchButton watches the match of a player, if he plays one that is not the account's.
    @param {LobbyPlayer} p
    @param {string} account
    @param {Run} run */
export const watchButton = (p, account, run) =>
  p.opponent &&
  p.name !== account &&
  p.opponent !== account &&
  button(_`Watch`, () => run(`watch ${p.name}`), { "aria-label": `${_`Watch`}: ${p.name}` });

/** statusOfWatched is what happens in a watched match, in a sentence.
    @param {LobbyWatched} w */
export function statusOfWatched(w) {
  const g = w.match;
  const who = g?.names[g.turn];
  switch (w.state) {
    case "waiting":
      return _`Waiting for the board of ${w.player}…`;
    case "not_playing":
      return _`${w.player} is not playing. The next match is shown when it begins.`;
    case "not_online":
      return _`${w.player} has left the server.`;
    case "interrupted":
      return _`The match of ${w.player} was interrupted.`;
  }
  if (g.result || (g.phase !== "move" && g.phase !== "roll")) return statusOf({ ...g, two_players: true }, null);
  return g.phase === "roll" ? _`${who} is thinking…` : _`${who} plays ${diceShown(g, null).join("\u2011")}…`;
}

/** watchActions are the buttons below a watched board.
    @param {LobbyWatched} w
    @param {(text: string, key: string, fn: () => void) => HTMLElement} offer
    @param {Run} run */
export const watchActions = (w, offer, run) => [
  offer(_`Stop watching`, "l", () => run("unwatch")),
  w.kept && h("a", { class: "button", href: "/matches/" + w.kept }, _`Review the match`),
];

let drawn = ""; // the opinion shown

/** drawWatched shows what is thought of a watched match, or nothing.
    @param {LobbyWatched} [w] */
export function drawWatched(w) {
  $("watched").hidden = !w;
  if (!w) return;
  $("keep").checked = w.keep;
  $("remarks").hidden = !w.talks;
  if (document.activeElement !== $("comments")) $("comments").value = w.comments;
  const now = JSON.stringify([w.match?.names, w.last, w.sides, w.line.length, w.note, w.joined]);
  if (now === drawn) return;
  drawn = now;
  refill($("opinion"), ...opinion(w).filter(Boolean));
}

/** opinion is the last decision, the sums of both players, the line and the errors.
    @param {LobbyWatched} w */
function opinion(w) {
  const out = [];
  if (w.note) out.push(h("p", { class: "error", "data-data": "" }, w.note));
  const names = w.match?.names;
  if (!names) return out;
  if (w.joined) out.push(h("p", { class: "dim" }, _`The beginning of this match was not seen.`));
  if (w.last) out.push(...last(w.last, names));
  out.push(sums(w, names), line(w, names[YOU]));
  if (w.errors.length) {
    const rows = w.errors.map((d) => h("li", {}, _`Game ${d.game}` + " · ", ...verdict(d, names)));
    out.push(h("details", {}, h("summary", {}, _`Errors`), h("ol", { class: "plain" }, ...rows.reverse())));
  }
  return out;
}

/** verdict is a decision with what it costs.
    @param {LobbySeenDecision} d
    @param {string[]} names */
function verdict(d, names) {
  const did = [names[d.player] + ":", d.dice?.join(""), phrase(d.played)].filter(Boolean).join(" ");
  const cost = (loss, mark, best) =>
    h("span", { class: mark }, ` ${signed(-loss)} `, best && _`better ${phrase(best)}`, " ");
  return [
    h("strong", { "data-data": "" }, did),
    d.loss > 0 && cost(d.loss, d.mark, d.best),
    d.cube_loss > 0 && cost(d.cube_loss, d.cube_mark, "double"),
  ];
}

/** last is the decision judged last, with the best plays and the chances after it. */
function last(d, names) {
  const plays = d.plays?.map((p) => {
    const made = p.move === d.played;
    return h(
      "tr",
      { class: made && "own" },
      td(String(p.rank), "n"),
      td([phrase(p.move), made && h("small", {}, _`Played`)], "move"),
      td([p.rank > 1 && h("small", {}, signed(p.diff)), signed(p.equity)], "n"),
    );
  });
  const rank = h("span", { class: "hidden" }, _`Rank`);
  return [
    h(
      "p",
      {},
      ...verdict(d, names),
      d.loss + d.cube_loss === 0 &&
        d.best &&
        (plays || d.kind !== "move") &&
        h("span", { class: "good" }, " ", _`best`),
    ),
    plays && headed([[rank, "n"], _`Plays`, [_`Equity`, "n"]], plays, { class: "plays" }),
    d.chances && h("p", { class: "dim" }, _`Chances of ${names[YOU]} after this play`),
    d.chances && chances(d.chances),
  ];
}

/** sums has the errors and the luck of both so far. */
function sums(w, names) {
  const figure = (v, text) => td(v === null ? "–" : text(v), "n");
  const rows = [YOU, 1 - YOU].map((i) => {
    const s = w.sides[i];
    return tr(
      td(h("span", { "data-data": "" }, names[i])),
      figure(s.pr, (v) => fixed(v, 1)),
      td(String(s.errors), "n"),
      td(String(s.blunders), "n"),
      figure(s.luck, (v) => signed(v, 2)),
    );
  });
  const heads = [_`Player`, ["PR", "n"], [_`Errors`, "n"], [_`Blunders`, "n"], [_`Luck`, "n"]];
  return headed(heads, rows, { class: "odds" });
}

/** line draws how the watched player stood after each play. */
function line(w, name) {
  const chance = w.match.length > 0;
  const values = chance ? w.line.map((v) => 100 * v) : w.line;
  const title = chance ? _`Match winning chance of ${name}` : _`Equity of ${name}`;
  const said = (l) =>
    l.values.length ? fixed(l.values[l.values.length - 1], chance ? 0 : 2) + (chance ? "%" : "") : "";
  const card = chart(
    title,
    [{ name, values, shallow: false }],
    chance ? 0 : 2,
    [_`begin`, _`now`],
    _`Nothing is judged yet.`,
    said,
  );
  return h("div", { class: "charts" }, card);
}

/** listen makes the controls of the pane work.
    @param {Run} run
    @param {(line: string) => Promise<Error | null>} say */
export function listen(run, say) {
  $("keep").addEventListener("change", ({ target }) => run(`keep ${target.checked ? "on" : "off"}`));
  $("comments").addEventListener("change", ({ target }) => run(`comment ${target.value}`));
  $("remark").addEventListener("submit", async (e) => {
    e.preventDefault();
    const form = /** @type {HTMLFormElement} */ (e.target);
    const text = form.elements["text"];
    if (!text.value.trim()) return;
    const err = await say(`${form.elements["all"].checked ? "kibitz" : "whisper"} ${text.value.trim()}`);
    show($("remark-error"), err, text);
    if (!err) text.value = "";
  });
}
