// The status of running bots, and the room of their owner.

import { $, _, below, button, fixed, h, percent, phrase } from "./site.js";
import { Board } from "./board.js";
import { give, may, ordersOf, speakAs } from "./botorders.js";
import { clock, course, day, matches, ratings, record } from "./botrecord.js";
import { chances } from "./tables.js";

/** @import { OpsAccount, OpsTrouble } from "../api.d.ts" */

const cards = new Map(); // by account and server

const known = (t) => t && !t.startsWith("0001");
const points = (n) => (n === 1 ? _`1 point` : _`${n} points`);
const lengthOf = (n) => (n > 0 ? points(n) : n === 0 ? _`unlimited` : "");

function ago(t) {
  const sec = Math.max(0, Math.round((Date.now() - Date.parse(t)) / 1000));
  return sec < 90
    ? _`${sec} s ago`
    : sec < 5400
      ? _`${Math.round(sec / 60)} min ago`
      : _`${Math.round(sec / 3600)} h ago`;
}

/** part is a piece of a card that is rendered again only when its data has changed. */
function part(el, make) {
  let last = "";
  return (data) => {
    const text = JSON.stringify(data ?? null);
    if (text === last) return;
    last = text;
    make(el, data);
  };
}

/** fold is a collapsible part whose heading has a count. */
function fold(name, open, make) {
  const count = h("span", { class: "count" });
  const body = h("div");
  const el = h("details", { class: "fold", open }, h("summary", {}, name, " ", count), body);
  return [
    el,
    part(body, (box, list) => {
      count.textContent = list?.length ? String(list.length) : "";
      box.replaceChildren(list?.length ? make(list) : h("p", { class: "dim" }, _`Nothing yet.`));
    }),
  ];
}

/** cardOf is the card of a bot, made once: each of its parts takes new data.
    @param {OpsAccount} a */
function cardOf(a) {
  const key = `${a.name}@${a.server}`;
  if (!cards.has(key)) cards.set(key, newCard(a));
  return cards.get(key);
}

/** newCard makes the card of a bot.
    @param {OpsAccount} a */
function newCard(a) {
  /** @type {Record<string, HTMLElement>} */
  const box = {};
  for (const name of ["head", "top", "board", "bottom", "chances", "course", "figures", "chart", "record"]) {
    box[name] = h("div", { class: "bot-" + name });
  }
  const listed = (kind, of) => (list) => h(kind, { class: kind === "ol" ? "log" : "talk" }, ...list.map(of));
  const [moves, setMoves] = fold(_`Last moves`, true, listed("ol", moved));
  const speak = may() ? speakAs(a) : null;
  const [said, setSaid] = fold(
    _`Talk`,
    true,
    listed("ul", (x) => talk(x, x.from !== a.name && speak?.answer)),
  );
  if (speak) said.append(speak.el);
  const orders = may() ? ordersOf(a) : null;
  const [asked, setAsked] = fold(_`Invitations`, true, listed("ul", invitation));
  const [bad, setBad] = fold(_`Errors`, false, listed("ul", trouble));
  const all = h("details", { class: "fold", open: true }, h("summary", {}, _`Archive`), box.chart, box.record);
  const table = h("div", { class: "bot-table" }, box.top, box.board, box.bottom, box.chances);
  const desk = h("div", { class: "bot-desk" }, box.figures, box.course, orders?.el ?? "", moves, said, asked, bad);
  return {
    el: h(
      "section",
      { class: "card bot", "aria-label": _`${a.name} on ${a.server}` },
      box.head,
      h("div", { class: "bot-body" }, table, desk, all),
    ),
    head: part(box.head, head),
    top: part(box.top, seat),
    bottom: part(box.bottom, seat),
    figures: part(box.figures, figures),
    chart: part(box.chart, ratings),
    course: part(box.course, course),
    record: part(box.record, record),
    archive: (none) => {
      all.hidden = none;
    },
    orders: part(box.head, (_box, x) => orders?.state(x.paused, x.leaving)),
    chances: part(box.chances, (to, c) => to.replaceChildren(...(c ? [chances(c)] : []))),
    board: boardPart(box.board),
    moves: setMoves,
    said: setSaid,
    asked: setAsked,
    bad: setBad,
  };
}

/** boardPart is the board of a card.
    @param {HTMLElement} box */
function boardPart(box) {
  let board = null;
  return part(box, (to, t) => {
    if (!t?.board) {
      board = null;
      to.replaceChildren(h("p", { class: "empty" }, t ? _`Waiting for the board.` : _`No match in progress.`));
      return;
    }
    board ??= new Board(to, "view");
    const side = (who) => (who === "me" ? "me" : "opp");
    const cube = { value: t.cube, owner: { me: "me", opponent: "opp" }[t.owner] ?? "centre" };
    if (t.doubled) Object.assign(cube, { value: 2 * t.cube, offered: side(t.doubled) });
    board.set({ me: t.board[0], opp: t.board[1], cube, dice: t.dice, diceSide: side(t.turn) });
  });
}

/** trouble is an error in a list.
    @param {OpsTrouble} x */
const trouble = (x) =>
  h(
    "li",
    {},
    h("time", { datetime: x.at }, day(x.at)),
    " ",
    x.text,
    x.times > 1 ? h("span", { class: "dim" }, ` × ${x.times}`) : "",
  );

function head(to, a) {
  const rating = a.rating ? ` ${fixed(a.rating, 2)}` : "";
  to.replaceChildren(
    h("h2", {}, a.name, h("span", { class: "dim" }, rating)),
    h("span", { class: "pill " + a.state }, states[a.state] ?? a.state),
  );
}

/** seat is the line above or below the board: player, pips, score, pending action. */
function seat(to, p) {
  if (!p) {
    to.replaceChildren();
    return;
  }
  to.replaceChildren(
    h(
      "div",
      { class: "seat" + (p.on ? " on" : "") },
      h("i", { class: "chip " + p.side }),
      h("span", { class: "who" }, p.name),
      h(
        "span",
        { class: "pips" },
        [p.side === "opp" && p.rating ? fixed(p.rating, 0) : "", p.experience ? _`exp. ${p.experience}` : ""]
          .filter(Boolean)
          .join(", "),
      ),
      h("span", { class: "pips" }, _`${p.pips} pips`),
      h(
        "span",
        { class: "score" },
        p.length ? _`${p.score} of ${p.length}` : points(p.score),
        p.note ? ` · ${p.note}` : "",
      ),
    ),
  );
}

function figures(to, rows) {
  to.replaceChildren(
    h(
      "dl",
      { class: "figures" },
      ...rows.flatMap(([k, v, bad]) => [h("dt", {}, k), h("dd", { class: bad ? "error" : "" }, v)]),
    ),
  );
}

const did = {
  "cannot move": _`cannot move`,
  rolls: _`rolls`,
  doubles: _`doubles`,
  takes: _`takes`,
  drops: _`passes`,
  resigns: _`resigns`,
  "plays on": _`plays on`,
};
const states = {
  connecting: _`connecting`,
  ready: _`ready`,
  playing: _`playing`,
  waiting: _`waiting`,
  stopped: _`stopped`,
};
const hows = { kibitzes: _`kibitzes`, whispers: _`whispers` };

function moved(m) {
  const text = m.what === "plays" ? m.play : (did[m.what] ?? m.what);
  return h(
    "li",
    { class: m.side === "me" ? "me" : "opp" },
    h("i", { class: "chip" }),
    h("span", { class: "d" }, m.dice ? m.dice.join("") : ""),
    h("span", {}, h("span", { class: "hidden" }, m.side === "me" ? _`The bot: ` : _`The opponent: `), text),
  );
}

/** talk is a line of talk; answer, if there is one, gets an answer to the speaker ready. */
function talk(x, answer) {
  return h(
    "li",
    {},
    h("time", { datetime: x.at }, clock(x.at)),
    " ",
    answer ? button(x.from, () => answer(x.from), { class: "link", title: _`Answer` }) : h("b", {}, x.from),
    x.to
      ? h("span", { class: "dim" }, _` to ${x.to}`)
      : x.how === "says"
        ? ""
        : h("span", { class: "dim" }, " ", hows[x.how] ?? x.how),
    ": ",
    x.text,
  );
}

function invitation(x) {
  const what = x.resume ? _`resume` : lengthOf(x.length);
  return h(
    "li",
    {},
    h("time", { datetime: x.at }, clock(x.at)),
    " ",
    h("b", {}, x.from),
    x.rating ? h("span", { class: "dim" }, ` ${fixed(x.rating, 0)}`) : "",
    `, ${what}: `,
    h("span", { class: x.accepted ? "win" : "lose" }, x.accepted ? _`accepted` : _`refused`),
    h("span", { class: "dim" }, _` by ${x.rule}`),
    x.said ? h("q", { class: "dim" }, x.said) : "",
  );
}

/** sides returns the two lines about the players. */
function sides(a, t) {
  if (!t) return [null, null];
  const waits = (side) => (t.doubled ? t.doubled !== side : t.resigned ? t.resigned !== side : t.turn === side);
  const note = (side) =>
    t.doubled === side
      ? _`doubles to ${2 * t.cube}`
      : t.resigned === side
        ? t.offer
          ? _`offers ${points(t.offer)}`
          : _`offers to resign`
        : "";
  const line = (side, i, name, rating, experience) => ({
    side: side === "me" ? "me" : "opp",
    name,
    rating,
    experience,
    pips: t.pips[i],
    score: t.score[i],
    length: t.length,
    on: waits(side),
    note: note(side) || (i === 1 && t.crawford ? _`Crawford` : ""),
  });
  return [line("opponent", 1, t.opponent, t.rating, t.experience), line("me", 0, a.name, a.rating, 0)];
}

/** rowsOf are the figures of a bot: name, value, whether it is an error.
    @param {OpsAccount} a */
function rowsOf(a) {
  const live = a.live ?? /** @type {OpsAccount["live"]} */ ({});
  const t = live.table;
  const rows = [[_`Server`, a.server]];
  if (a.waiting) rows.push([_`Waiting`, a.waiting]);
  if (a.not_inviting) rows.push([_`Invites no one`, a.not_inviting]);
  if (t) {
    rows.push([
      _`Match`,
      t.length
        ? _`game ${t.game}, ${t.score[0]}–${t.score[1]} of ${t.length}`
        : _`game ${t.game}, unlimited, ${t.score[0]}–${t.score[1]}`,
    ]);
  }
  if (t?.chances) rows.push([_`Wins`, _`${percent(t.chances[0])}, gammons ${percent(t.chances[1])}`]);
  if (a.preset) rows.push([_`Plays as`, phrase(a.preset)]);
  if (a.paused || a.leaving) rows.push([_`Order`, a.leaving ? _`logs out after this match` : _`paused`]);
  rows.push([_`Since the start`, _`${a.matches_finished} finished, ${a.matches_won} won`]);
  rows.push([
    _`Queue`,
    (a.send_queue === 1 ? _`1 command` : _`${a.send_queue} commands`) +
      (live.waiting?.length ? _`; waiting for answers: ${live.waiting.join(", ")}` : ""),
  ]);
  if (known(a.last_line)) rows.push([_`Last message`, ago(a.last_line)]);
  if (a.error) rows.push([_`Error`, a.error, true]);
  for (const [name, e] of Object.entries(a.engines ?? {})) {
    const failed = e.in_a_row > 0;
    const text = failed
      ? _`has failed, the built-in engine answers: ` + e.fault
      : _`${e.answered} answers, ${e.failed} failures`;
    rows.push([_`Engine ${name}`, text, failed]);
  }
  if (a.journal_error) rows.push([_`Error`, _`Cannot write the journal: ` + a.journal_error, true]);
  return rows;
}

function showAccount(a) {
  const c = cardOf(a);
  const live = a.live ?? {};
  const t = live.table;
  c.head({ name: a.name, rating: a.rating, state: a.state });
  const [them, us] = sides(a, t);
  c.top(them);
  c.bottom(us);
  c.board(
    t
      ? {
          board: t.board,
          cube: t.cube,
          owner: t.owner,
          doubled: t.doubled,
          dice: t.dice,
          turn: t.turn,
          opponent: t.opponent,
        }
      : null,
  );
  c.chances(t?.chances);
  c.course(t?.course ? { list: t.course, starts: t.starts ?? [], match: t.length > 0 } : null);
  c.record(live.record);
  c.orders({ paused: !!a.paused, leaving: !!a.leaving });
  c.figures(rowsOf(a));
  c.moves(t?.moves ? [...t.moves].reverse() : []);
  c.said(live.said);
  c.asked(live.invitations);
  c.bad(live.troubles);
  c.chart(live.ratings);
  c.archive(!live.record && !live.ratings);
  return c.el;
}

const list = part($("matches"), matches);

const say = (id, text) => {
  if ($(id).textContent === text) return; // a screen reader would repeat it
  $(id).textContent = text;
  if (id === "trouble") $(id).hidden = !text;
};

function draw(st) {
  say(
    "state",
    _`fibsbot ${st.version}, running since ${day(st.started)}` +
      `${st.draining ? _`, stopping after its matches` : ""}`,
  );
  say(
    "trouble",
    [
      st.config_error && _`Reloading the configuration failed: ` + st.config_error,
      st.index_error && _`The index has failed: ` + st.index_error,
    ]
      .filter(Boolean)
      .join(" "),
  );
  const els = (st.accounts ?? []).map(showAccount);
  const box = $("accounts");
  if (box.children.length !== els.length || els.some((el, i) => box.children[i] !== el)) box.replaceChildren(...els);
  list({ saved: st.saved ?? [], ended: st.ended ?? [] });
}

/** gone says in one place why no bot is shown; what was last known stays, faded. */
function gone(text, on = _`Start one with ‘fibsbot run’ and the same bot.yaml; this page then shows it.`) {
  say("state", cards.size ? text : "");
  say("trouble", "");
  if (!cards.size) $("accounts").replaceChildren(h("p", { class: "empty" }, [text, on].filter(Boolean).join(" ")));
  for (const c of cards.values()) c.el.classList.add("stale");
}

/* The stream is open only while the page is visible: a browser has few connections to one
   address. */
let source = null;
let again = 0;

function listen() {
  if (source || document.hidden) return;
  source = new EventSource(below("/api/v1/bots/events"));
  source.addEventListener("bots", (e) => {
    for (const c of cards.values()) c.el.classList.remove("stale");
    draw(JSON.parse(e.data));
  });
  source.addEventListener("gone", (e) => gone(JSON.parse(e.data).error));
  source.onerror = () => {
    hush();
    gone(_`fibsbot does not answer (is it still running?)`, "");
    again = setTimeout(listen, 3000);
  };
}

function hush() {
  clearTimeout(again);
  source?.close();
  source = null;
}

document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
addEventListener("pagehide", hush);
$("reload")?.addEventListener("click", () => give("reload"));
if ($("accounts").dataset.bots === "true") listen();
else gone(_`No bot configured. To see two bots play: fibsbot demo. To watch yours: fibsbot web -c bot.yaml.`, "");
