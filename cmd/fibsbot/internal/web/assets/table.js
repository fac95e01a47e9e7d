// The table of the page Play: one match on the board. The server decides which acts are
// legal.

import { $, _, ask, below, button, fixed, h, phrase, positionsAt, pressKey, refill, toast, visit } from "./site.js";
import { question, resignation } from "./asking.js";
import { Board } from "./board.js";
import { onView, view } from "./boardview.js";
import { dicePad, forget, half, setUpHand } from "./byhand.js";
import { face, setClock, spent } from "./clock.js";
import { gestures, Mover } from "./mover.js";
import { options, pause } from "./playoptions.js";
import { diceShown, gameName, named, nameOf, points, rated, rowsOf, statusOf, tallyOf } from "./playwords.js";
import { showReward } from "./reward.js";
import { FOE, YOU } from "./sides.js";
import { sounds, soundOf } from "./sound.js";
import { cubeTable, oddsTable, playsTable } from "./tables.js";

let g = null; // the match, as the server last sent it
let board = null;
let here = null; // the play being made
let busy = false; // a request or an animation is under way
let trouble = ""; // why the server cannot be reached
let doubt = null; // the act that the tutor warns of, its cost, and whether the best is shown
let drawn = null; // the plays that a hint draws on the board: the chosen one and the person's
let refused = null; // the error of the last request
let written = false; // it came from the written line, which shows it
let handed = false; // the engine acts for the person

/** open shows a match. */
export function open(state) {
  $("lobby").hidden = $("lost").hidden = true;
  $("table").hidden = false;
  scrollTo(0, 0); // the lobby may have been scrolled
  board ??= new Board(
    $("board"),
    "play",
    gestures(() => here, step, draw),
  );
  g = named(state);
  handed = false;
  $("reward").hidden = true;
  begin();
  advance();
}

/** acting reports whether a person is to act. */
const acting = () => !g.result && (g.turn === YOU || g.two_players || g.phase === "dice");

/** begin prepares a play of the dice. */
function begin() {
  here = doubt = drawn = null;
  forget();
  setClock(g, () => {
    if (!busy) act({ kind: "flag" });
  });
  if (g.phase === "move" && acting()) {
    here = new Mover(g.moves, g.dice, g.board[g.turn], g.board[1 - g.turn]);
    here.restore(kept());
  }
  draw();
}

/** step makes steps of the play on the board. */
function step(path) {
  if (!path || busy) return;
  doubt = null;
  here.step(path);
  sounds.checker();
  keep();
  draw();
  if (here.stuck && !options.confirm()) finish();
}

/* The play being made survives a reload of this tab. */

const keptAs = () => `play ${g.id} ${g.version}`;

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(keptAs()) ?? "[]");
  } catch {
    return [];
  }
}

function keep() {
  try {
    if (here?.path.length) {
      sessionStorage.setItem(keptAs(), JSON.stringify(here.path.map((e) => [e.from, e.to, e.node])));
    } else sessionStorage.removeItem(keptAs());
  } catch {
    /* private windows may refuse */
  }
}

function stepBack() {
  if (!here?.back()) return;
  doubt = null;
  keep();
  draw();
}

function finish() {
  if (here?.may) act({ kind: "move", play: here.text });
}

function draw() {
  // The board shows the person who plays as "me": of two people that may be the one above.
  const me = here ? g.turn : YOU;
  const side = (n) => (n === me ? "me" : "opp");
  const pos = here ?? { me: g.board[YOU], opp: g.board[FOE] };
  const owner = g.owner < 0 ? "centre" : side(g.owner);
  const st = { me: pos.me, opp: pos.opp, top: me === FOE, checkers: g.checkers, cube: { value: g.cube, owner } };
  if (g.phase === "answer") st.cube = { value: g.offered, owner, offered: side(1 - g.turn) };
  if (g.dice?.length && (g.phase === "move" || g.phase === "resign")) {
    st.dice = diceShown(g, here);
    st.diceSide = side(g.phase === "move" ? g.turn : 1 - g.turn);
  }
  st.roll = side(g.turn);
  const last = options.last() && !here?.path.length && g.acts.findLast((a) => a.kind === "move");
  if (last?.steps?.length && last.side !== g.turn) st.last = { side: side(last.side), steps: last.steps };
  if (here) {
    if (drawn && !here.path.length) Object.assign(st, drawn);
    st.live = !busy;
    st.used = here.used();
    st.sources = here.sources();
  }
  board.set(st);
  seats(me === YOU ? pos : { me: pos.opp, opp: pos.me });
  actions();
  $("what").textContent = [
    g.event,
    g.length ? _`A match of ${points(g.length)}` : _`Money play`,
    gameName(g),
    rated(g.opponent) && _`${g.names[FOE]}: ${rated(g.opponent)}`,
  ]
    .filter(Boolean)
    .join(" · ");
  $("ids-box").hidden = !g.position_id;
  $("ids").textContent = `${g.position_id}:${g.match_id}\n${g.xgid}`;
  moves();
  aside();
}

/** aside shows what may be done with the match besides the game. */
function aside() {
  $("tally").hidden = !g.tally?.games;
  if (g.tally?.games) $("tally").replaceChildren(h("h2", {}, _`Results from this position`), ...tallyOf(g));
  const open = !g.result;
  const one = open && !g.two_players;
  const may = {
    swap: one && ["roll", "move", "answer"].includes(g.phase),
    hand: one && !handed && !g.by_hand,
    again: open && g.posed,
  };
  for (const [id, on] of Object.entries(may)) $("do-" + id).hidden = !on;
  $("line").hidden = !g.by_hand || !acting();
  $("do-look").hidden = !g.xgid;
  if (g.xgid) {
    const variation = g.variation?.toLowerCase().replace(/3$/, "");
    $("do-look").href = below(positionsAt("XGID=" + g.xgid.replace(/^XGID=/, ""), { game: variation }));
  }
}

/** takeOver ends that the engine acts for the person; advance notices it. */
function takeOver() {
  handed = false;
  draw();
}

function seats(pos) {
  const pips = (c) => c.reduce((sum, n, i) => sum + n * (i + 1), 0);
  const score = `${g.score[YOU]}-${g.score[FOE]}`;
  const met = !!g.length && !g.result && `/met?length=${g.length}&score=${score}${g.crawford ? "&crawford=1" : ""}`;
  for (const side of [FOE, YOU]) {
    const seat = $("seat" + (view().turned ? 1 - side : side)); // 1 is below the board
    seat.classList.toggle("on", g.turn === side && !g.result);
    seat.replaceChildren(
      h("i", { class: "chip " + (side === YOU ? "me" : "opp") }),
      h("span", { class: "who" }, g.names[side]),
      h("span", { class: "pips" }, _`${pips(side === YOU ? pos.me : pos.opp)} pips`),
      h(
        met ? "a" : "span",
        { class: "score", href: met, target: met && "_blank", title: met && _`Match equities` },
        g.length && g.phase !== "match_over" ? _`${g.score[side]} of ${g.length}` : points(g.score[side]),
        g.crawford && side === FOE ? _` · Crawford` : "",
      ),
      face(side),
    );
  }
}

/** offer is a button with a key, which waits while a request or an animation is under way. */
const offer = (text, key, fn, kind = "", enabled = true) =>
  button(text, fn, { class: kind, "data-key": key, disabled: busy || !enabled, "aria-keyshortcuts": key });

/** actions shows the buttons of the present phase; each has a key. */
function actions() {
  if (handed && !g.result) {
    const kind = { class: "primary", "data-key": "e", "aria-keyshortcuts": "e" };
    showActions([button(_`Take over`, takeOver, kind)]); // even while the engine thinks
  } else if (doubt) showActions(doubtOffers());
  else showActions([...(acting() ? phaseOffers() : []), ...endOffers(), ...alwaysOffers()]);
}

/** doubtOffers are the answers to a warning of the tutor. */
function doubtOffers() {
  const again = () => {
    doubt = null;
    draw();
  };
  const best = () => {
    doubt.shown = true;
    showAdvice(doubt.hint, doubt.body.play);
  };
  return [
    offer(_`Think again`, "Escape", again, "primary"),
    ...(doubt.shown ? [] : [offer(_`Show the best`, "h", best)]),
    offer(_`Play anyway`, "g", () => act(doubt.body, true)),
  ];
}

/** phaseOffers are the acts of a person at turn. */
function phaseOffers() {
  switch (g.phase) {
    case "dice":
      return diceOffers();
    case "roll":
      return [
        ...(g.by_hand ? diceOffers() : [offer(_`Roll`, "r", () => act({ kind: "roll" }), "primary")]),
        ...(g.may_double ? [offer(_`Double to ${2 * g.cube}`, "d", () => act({ kind: "double" }))] : []),
      ];
    case "move":
      return [
        offer(_`Done`, "Enter", finish, "primary", here.may),
        offer(_`Undo step`, "Backspace", stepBack, "", here.path.length > 0),
      ];
    case "answer":
      return [
        offer(_`Take`, "t", () => act({ kind: "take" }), "primary"),
        ...(g.may_beaver ? [offer(_`Beaver`, "b", () => act({ kind: "beaver" }))] : []),
        ...(g.may_raccoon ? [offer(_`Raccoon`, "b", () => act({ kind: "raccoon" }))] : []),
        offer(_`Pass`, "p", () => act({ kind: "drop" })),
      ];
    case "resign":
      return [
        offer(_`Accept`, "a", () => act({ kind: "accept" }), "primary"),
        offer(_`Reject`, "x", () => act({ kind: "reject" })),
      ];
  }
  return [];
}

/** diceOffers take the dice that were rolled by hand. */
function diceOffers() {
  const pad = dicePad((dice) => act({ kind: "roll", dice }), actions);
  for (const b of pad) b.disabled = busy;
  const other = () => {
    forget();
    actions();
  };
  return half() ? [...pad, offer(_`Other first die`, "Escape", other)] : pad;
}

/** endOffers lead on from the end of a game or match. */
function endOffers() {
  const out = [];
  if (g.phase === "game_over") {
    if (g.posed) out.push(offer(_`Same position again`, "a", () => act({ kind: "again" }), "primary"));
    if (g.may_next) out.push(offer(_`Next game`, "n", () => act({ kind: "next" }), g.posed ? "" : "primary"));
    if (g.posed) out.push(offer(_`End and review`, "e", endSession));
    else if (!g.length) out.push(offer(_`End the session`, "e", endSession));
  } else if (g.phase === "match_over") {
    out.push(h("a", { class: "button primary", href: "/play" }, _`Play again`));
    if (g.archived) out.push(h("a", { class: "button", href: "/matches/" + g.archived }, _`Review the match`));
  }
  return out;
}

/** alwaysOffers are those of every phase of a match. */
function alwaysOffers() {
  if (g.phase === "match_over") return [];
  const out = [offer(_`Take back`, "u", undo, "", g.may_undo)];
  if (!acting()) return out;
  out.unshift(offer(_`Hint`, "h", hint));
  if (g.phase === "roll" || g.phase === "move") out.push(offer(_`Resign`, "q", resign));
  return out;
}

/** showActions puts the buttons below the board and the state into words. */
function showActions(buttons) {
  refill($("actions"), ...buttons);
  $("status").classList.toggle("warning", !!doubt);
  $("status").textContent =
    trouble ||
    (doubt
      ? _`${nameOf(doubt.warning.act)} loses ${fixed(doubt.warning.loss, 3)} points against the best.`
      : statusOf(g, here));
}

/** moves lists the acts of this game. */
function moves() {
  const rows = rowsOf(g, g.two_players && !busy ? hand.fix : null);
  const log = $("log");
  const says = (list) => [...list].map((el) => el.textContent).join("\n");
  if (says(rows) !== says(log.children)) {
    log.replaceChildren(...rows);
    log.scrollTop = log.scrollHeight;
  }
}

/* Talking to the server */

/** call makes a request about the match and shows its error. */
async function call(path, body) {
  busy = true;
  refused = null;
  if (g) actions();
  try {
    return await ask("POST", `/games/${g.id}/${path}`, { version: g.version, ...body });
  } catch (err) {
    refused = err;
    if (err.status === 409) {
      toast(err.message);
      return await ask("GET", "/games/" + g.id).catch(() => null);
    }
    if (err.status === 404) {
      toast(_`This match was finished or removed in another window.`);
      return null;
    }
    if (err.status === 0) lost();
    else if (!written) toast(err.message);
    return null;
  } finally {
    busy = false;
  }
}

/** lost waits for the server to return. Confirmed plays are on its disk; the play being
    made stays on the board. */
function lost() {
  if (trouble) return;
  trouble = _`fibsbot does not answer. Your match is saved; this page continues when fibsbot is back.`;
  const again = async () => {
    const id = g.id;
    try {
      const now = await ask("GET", "/games/" + id);
      trouble = "";
      if (now.version !== g.version) enterAt(now);
      else {
        draw();
        advance();
      }
    } catch (err) {
      if (err.status === 0) setTimeout(again, 1500);
      else {
        trouble = err.message;
        draw();
      }
    }
  };
  setTimeout(again, 1500);
  draw();
}

/** enterAt shows a state that changed elsewhere: in another window, or during a pause. */
function enterAt(state) {
  g = named(state);
  $("advice").hidden = true;
  board.pick(undefined);
  begin();
  advance();
}

/** refresh checks whether another window has changed the match. */
async function refresh() {
  if (!g || busy || trouble || document.hidden || $("ask").open) return;
  try {
    const now = await ask("GET", "/games/" + g.id);
    if (now.id === g.id && now.version !== g.version && !busy) enterAt(now);
  } catch (err) {
    if (err.status === 0) lost();
  }
}
document.addEventListener("visibilitychange", refresh);
addEventListener("focus", refresh);

async function act(body, confirmed = false) {
  if (busy) return;
  doubt = null;
  const next = await call("acts", { ...body, tutor: options.tutor(body.kind), confirm: confirmed, spent_ms: spent() });
  if (!next) {
    draw();
    return;
  }
  if (next.warning) {
    doubt = { body, warning: next.warning, hint: next.hint };
    draw();
    return;
  }
  if (body.kind === "move" && !here?.path.length) markAuto(next);
  await enter(next);
}

/** enter shows the change and lets the engine act at its turn. */
async function enter(next) {
  const old = g;
  const fresh = next.acts.slice(old && old.game === next.game ? old.acts.length : 0);
  for (const a of fresh) if (a.kind !== "move" || (a.side === FOE && !g.two_players)) soundOf(a);
  if (!g.two_players && fresh.some((a) => a.kind === "reject" && a.side === FOE)) {
    toast(_`${g.names[FOE]} does not accept your resignation. The game continues.`);
  }
  if (next.result && !old?.result) sounds.end(next.result.winner === YOU);
  const last = fresh[fresh.length - 1];
  if (last?.kind === "move" && ((last.side === FOE && !g.two_players) || last.auto) && options.animate()) {
    await slide(last);
  }
  g = named(next);
  $("advice").hidden = true;
  board.pick(undefined);
  begin();
  if (g.archived) showReward(g.archived, () => g === next && !$("table").hidden);
  await advance();
}

/** slide shows the steps of a play, g being the match before it. */
async function slide(a) {
  busy = true;
  const side = a.side === YOU ? "me" : "opp";
  const own = [...g.board[a.side]];
  const other = [...g.board[1 - a.side]];
  const base = { ...board.state, live: false, arrows: null };
  for (const [from, to] of a.steps ?? []) {
    board.set({ ...base, me: a.side === YOU ? [...own] : [...other], opp: a.side === YOU ? [...other] : [...own] });
    await board.slide(side, from, to, 260 * options.pace());
    own[from - 1]--;
    if (to > 0) {
      own[to - 1]++;
      if (other[24 - to] === 1) {
        other[24 - to]--;
        other[24]++;
      }
    }
  }
  busy = false;
}

async function advance() {
  const id = g.id;
  while (g && g.id === id && !g.result && !g.two_players && g.phase !== "dice" && (g.turn === FOE || handed)) {
    await pause(g.phase === "move" ? 550 : 250);
    if (g.turn === YOU && !handed) break; // taken over meanwhile
    const asked = performance.now();
    const version = g.version;
    const next = await call("think", { for_me: g.turn === YOU });
    if (trouble) return; // it continues automatically
    if (next && !handed && options.think()) {
      await pause(Math.max(0, (next.think_ms ?? 0) - (performance.now() - asked)));
    }
    if (g?.id !== id || g.version !== version) return;
    if (!next) {
      $("actions").replaceChildren(h("button", { type: "button", class: "primary", onclick: advance }, _`Try again`));
      return;
    }
    if (next.version === g.version) break;
    if (handed) markAuto(next);
    return enter(next);
  }
  if (g.phase === "game_over" && options.next() && (g.posed || g.may_next)) return nextGame();
  if (!acting() || g.phase === "dice") return;
  if (!g.by_hand && g.phase === "roll" && options.roll() && !g.may_double) return act({ kind: "roll" });
  const version = g.version;
  if (g.phase === "move" && g.moves.length === 1 && !(g.by_hand && g.two_players)) {
    await pause(1100);
    if (g.version === version && !busy && !handed) return act({ kind: "move", play: "" });
  }
  if (g.phase === "move" && g.easy && !(g.by_hand && g.two_players) && options.easy(g.easy.why)) {
    await pause(700);
    if (g.version === version && !busy && !handed && !here?.path.length) {
      return act({ kind: "move", play: g.easy.play }, true);
    }
  }
}

/** markAuto marks the last act as one that no one made on the board: it is shown moving. */
function markAuto(next) {
  const last = next.acts[next.acts.length - 1];
  if (last) last.auto = true;
}

/** nextGame begins the next game, or the position again, after a look at the result. */
async function nextGame() {
  const version = g.version;
  await new Promise((done) => setTimeout(done, options.animate() ? 2500 : 600));
  if (g.version === version && !busy && options.next()) return act({ kind: g.posed ? "again" : "next" });
}

async function undo() {
  if (busy) return;
  const next = await call("undo", {});
  if (next) {
    g = named(next);
    $("advice").hidden = true;
    begin();
    advance();
  } else draw();
}

async function hint() {
  if (busy) return;
  const box = $("advice");
  box.hidden = false;
  box.replaceChildren(h("p", { class: "dim" }, _`Thinking…`));
  try {
    showAdvice(await ask("GET", `/games/${g.id}/hint`), here?.may ? here.text : "");
  } catch (err) {
    box.replaceChildren(h("p", { class: "error" }, err.message));
  }
}

/** shownPlays is the number of plays that a hint lists, without the person's own. */
const shownPlays = 5;

/** showAdvice shows what is best: in words, by the chances of both, in a list that marks the play own,
    "" for none, and by arrows on the board. */
function showAdvice(v, own) {
  const box = $("advice");
  const shut = () => {
    box.hidden = true;
    drawn = null;
    draw();
  };
  const close = h("button", { type: "button", class: "quiet", "aria-label": _`Close the hint`, onclick: shut }, "×");
  const words = h("p", { class: "verdict" }, phrase(v.words), close);
  const odds = h("div");
  const [me, other] = [g.turn, 1 - g.turn].map((side) => g.names[side]);
  const parts = [words, v.reason ? h("p", { class: "why" }, v.reason) : "", odds];
  if (v.plays) {
    while (here?.back()); // arrows begin where the play began
    keep();
    const list = v.plays.moves;
    const mine = list.find((m) => m.move === own);
    const pick = (m) => {
      odds.replaceChildren(oddsTable(m.probs, [me, other]));
      while (here?.back());
      drawn = { arrows: here?.find(m.move), own: mine && mine !== m ? here?.find(own) : null };
      draw();
    };
    const rows = list.filter((m, i) => i < shownPlays || m === mine);
    parts.push(playsTable(rows, pick, undefined, own));
    pick(list[0]);
  } else if (v.cube) {
    odds.append(oddsTable(v.cube.probs, v.answer ? [other, me] : [me, other]));
    if (v.answer) parts.push(h("p", { class: "dim" }, _`Chances and equities are the doubler's.`));
    parts.push(cubeTable(v.cube));
  }
  box.hidden = false;
  box.replaceChildren(...parts);
  box.scrollTop = box.parentElement.scrollTop = 0;
  scrollTo(0, 0); // the advice is seen with the board
}

async function resign() {
  const level = await resignation();
  if (level) act({ kind: "resign", level });
}

async function endSession() {
  const next = await call("close", {});
  if (next) visit(next.archived ? "/matches/" + next.archived : "/play");
}

document.addEventListener("keydown", (e) => {
  if (g && !$("table").hidden && !$("ask").open && !$("fix").open) pressKey(e, $("actions"));
});

const hand = setUpHand({
  match: () => g,
  act,
  call,
  refusal: () => refused,
  quiet: (on) => {
    written = on;
  },
  enterAt,
  draw,
  question,
});

$("do-swap").addEventListener("click", () => act({ kind: "swap" }));
$("do-again").addEventListener("click", () => act({ kind: "again" }));
$("do-hand").addEventListener("click", () => {
  if (busy && g.turn === YOU) return;
  handed = true;
  while (here?.back()); // the engine plays the whole roll
  draw();
  if (g.turn === YOU) advance();
});

$("giveup").addEventListener("click", async () => {
  if (
    (await question(_`Delete this match?`, _`It is deleted without a result.`, [
      ["", _`Keep`, "primary"],
      ["yes", _`Delete`],
    ])) !== "yes"
  ) {
    return;
  }
  await ask("DELETE", "/games/" + g.id).catch((err) => toast(err.message));
  visit("/play");
});

onView(() => {
  if (g) draw();
});
