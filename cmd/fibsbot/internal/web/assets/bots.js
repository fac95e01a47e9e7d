// The status of running bots. This page is read-only.

import { $, _, below, fixed, h, locale, percent, phrase, s } from "./site.js";
import { Board } from "./board.js";
import { chances, starred } from "./tables.js";

/** @import { OpsAccount, OpsTrouble } from "../api.d.ts" */

const cards = new Map(); // by account and server

const clock = (t) => new Date(t).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" });
const day = (t) => new Date(t).toLocaleDateString(locale(), { month: "short", day: "numeric" }) + " " + clock(t);
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
  for (const name of ["head", "top", "board", "bottom", "chances", "figures", "chart"]) {
    box[name] = h("div", { class: "bot-" + name });
  }
  const listed = (kind, of) => (list) => h(kind, { class: kind === "ol" ? "log" : "talk" }, ...list.map(of));
  const [moves, setMoves] = fold(_`Last moves`, true, listed("ol", moved));
  const [said, setSaid] = fold(_`Talk`, true, listed("ul", talk));
  const [asked, setAsked] = fold(_`Invitations`, true, listed("ul", invitation));
  const [bad, setBad] = fold(_`Errors`, false, listed("ul", trouble));
  const table = h("div", { class: "bot-table" }, box.top, box.board, box.bottom, box.chances);
  const desk = h("div", { class: "bot-desk" }, box.figures, moves, said, asked, bad, box.chart);
  return {
    el: h(
      "section",
      { class: "card bot", "aria-label": _`${a.name} on ${a.server}` },
      box.head,
      h("div", { class: "bot-body" }, table, desk),
    ),
    head: part(box.head, head),
    top: part(box.top, seat),
    bottom: part(box.bottom, seat),
    figures: part(box.figures, figures),
    chart: part(box.chart, ratings),
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
const results = { won: _`won`, lost: _`lost`, unfinished: _`unfinished` };
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

function talk(x) {
  return h(
    "li",
    {},
    h("time", { datetime: x.at }, clock(x.at)),
    " ",
    h("b", {}, x.from),
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

/** ratings draws the ratings after the last matches as a small chart. */
function ratings(to, list) {
  if (!list || list.length < 2) {
    to.replaceChildren();
    return;
  }
  const W = 300;
  const H = 64;
  const low = Math.min(...list);
  const high = Math.max(...list);
  const span = Math.max(1, high - low);
  const x = (i) => (((W - 4) * i) / (list.length - 1) + 2).toFixed(1);
  const y = (r) => (H - 6 - ((H - 12) * (r - low)) / span).toFixed(1);
  const points = list.map((r, i) => `${x(i)},${y(r)}`).join(" ");
  const [first, last] = [list[0], list[list.length - 1]].map((r) => fixed(r, 0));
  const label = _`Rating from ${first} to ${last} over ${list.length} matches`;
  to.replaceChildren(
    h("p", { class: "dim" }, _`Rating over ${list.length} matches, ${fixed(low, 0)} to ${fixed(high, 0)}`),
    s(
      "svg",
      { viewBox: `0 0 ${W} ${H}`, class: "chart spark", role: "img", "aria-label": label },
      s("polyline", { class: "c1", points }),
    ),
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
  rows.push([_`Matches`, _`${a.matches_finished} finished, ${a.matches_won} won`]);
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
  c.figures(rows);
  c.moves(t?.moves ? [...t.moves].reverse() : []);
  c.said(live.said);
  c.asked(live.invitations);
  c.bad(live.troubles);
  c.chart(live.ratings);
  return c.el;
}

const list = part($("matches"), (to, { saved, ended }) => {
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
});

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
  box.classList.toggle("one", els.length === 1);
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
if ($("accounts").dataset.bots === "true") listen();
else gone(_`No bot configured. To see two bots play: fibsbot demo. To watch yours: fibsbot web -c bot.yaml.`, "");
