// The room Online: a person's account on a server, which decides what is legal.

import { $, _, ask, below, button, h, pressKey, refill, show, toast } from "./site.js";
import { question, resignation } from "./asking.js";
import { Board } from "./board.js";
import { onView, view } from "./boardview.js";
import { gestures, Mover } from "./mover.js";
import { ignored, People } from "./people.js";
import { options } from "./playoptions.js";
import { diceShown, points, rowsOf, statusOf } from "./playwords.js";
import { FOE, YOU } from "./sides.js";
import { sounds, soundOf } from "./sound.js";
import { talk } from "./talk.js";
import { drawWatched, listen, statusOfWatched, watchActions } from "./watched.js";

/** @import { LobbyState, LobbyOffer } from "../api.d.ts" */

/** @type {LobbyState} */
let st = null; // as the server last sent it
let g = null; // its match
let board = null;
let here = null; // the play being made
let known = ""; // the state that here belongs to
let busy = false; // a request is under way

const people = new People({
  state: () => st,
  playing: () => playing(),
  command,
  changed: () => {
    offers();
    talk(st, true);
  },
});

/** take shows a new state. @param {LobbyState} now */
function take(now) {
  if (st && now.at < st.at) return; // the answer to a request, behind a newer event
  const old = g;
  st = now;
  g = (now.watched ? now.watched.match : now.match) ?? null;
  $("trouble").hidden = !st.error;
  $("trouble").textContent = st.error ?? "";
  const off = st.online === "offline";
  $("state").textContent = off
    ? ""
    : st.online === "online"
      ? _`${st.account} on ${st.server}`
      : _`Connecting to ${st.server}…`;
  $("login").hidden = !off;
  $("head").hidden = $("logout").hidden = $("talk").hidden = off;
  $("table").hidden = !g && !st.watched;
  $("lobby").hidden = off || playing();
  place();
  const key = JSON.stringify(g && [g.names, g.score, g.game, g.acts.length, g.phase, g.turn, g.dice, g.cube, st.asked]);
  if (g && old && key !== known) heard(old);
  if (key !== known) {
    known = key;
    here = g?.moves && st.asked && g.phase === "move" ? new Mover(g.moves, g.dice, g.board[YOU], g.board[FOE]) : null;
    here?.restore(kept());
    const by = byItself();
    if (by) setTimeout(() => known === key && !here?.path.length && act(by), 700);
  }
  if (g) draw();
  else if (st.watched) $("status").textContent = statusOfWatched(st.watched);
  drawWatched(st.watched);
  offers();
  talk(st);
  $("open").hidden = !st.opens;
  $("open").disabled = st.online !== "online";
  $("open").textContent = st.opened ? _`Close the open match` : _`Open a match`;
  if (!$("lobby").hidden) people.show();
}

/** playing reports whether a match is at the board. */
const playing = () => !!g && !st.watched && g.phase !== "match_over";

/** place puts the talk and the account beside the board, while one is shown. */
function place() {
  const side = document.querySelector("#table .side");
  $("table").classList.toggle("over", !playing());
  $("table").classList.toggle("bare", !g);
  if ($("table").hidden === !side.contains($("talk"))) return;
  if (!$("table").hidden) side.append($("talk"), $("head"));
  else {
    $("trouble").before($("head"));
    $("lobby").after($("talk"));
  }
}

/** byItself is the act that needs no decision, as the options say, or null. */
function byItself() {
  if (!st.asked) return null;
  if (here && g.moves.length === 1) return { kind: "move", play: "" }; // there is no play
  if (here && g.easy && options.easy(g.easy.why)) return { kind: "move", play: g.easy.play };
  return g.phase === "roll" && !g.may_double && options.roll() ? { kind: "roll" } : null;
}

/** heard makes the sounds of the acts since the match was old. */
function heard(old) {
  const fresh = g.acts.slice(old.game === g.game ? old.acts.length : 0);
  for (const a of fresh) if (a.kind !== "move" || a.side === FOE || st.watched) soundOf(a);
  if (g.phase === "match_over" && !old.result) sounds.end(g.result?.winner === YOU);
}

/* The play being made survives a reload of this tab. */

function kept() {
  try {
    const [key, path] = JSON.parse(sessionStorage.getItem("online") ?? "[]");
    return key === known ? path : [];
  } catch {
    return [];
  }
}

function keep() {
  try {
    sessionStorage.setItem("online", JSON.stringify([known, here.path.map((e) => [e.from, e.to, e.node])]));
  } catch {
    /* private windows may refuse */
  }
}

function step(path) {
  if (!path || busy) return;
  here.step(path);
  sounds.checker();
  keep();
  draw();
  if (here.stuck && !options.confirm()) act({ kind: "move", play: here.text });
}

function stepBack() {
  if (!here?.back()) return;
  keep();
  draw();
}

/** call makes a request; the state comes with the answer. */
async function call(method, path, body) {
  busy = true;
  if (g) actions();
  try {
    take(await ask(method, "/online" + path, body));
    return null;
  } catch (err) {
    return err;
  } finally {
    busy = false;
    if (g) draw();
  }
}

/** act carries out an act at the board. */
async function act(body) {
  if (busy) return;
  const err = await call("POST", "/acts", body);
  if (err) toast(err.message);
}

/** command obeys a line as typed in the terminal. */
async function command(line) {
  const err = await call("POST", "/commands", { line });
  if (err) toast(err.message);
}

function draw() {
  board ??= new Board(
    $("board"),
    "play",
    gestures(() => here, step, draw),
  );
  const side = (n) => (n === YOU ? "me" : "opp");
  const pos = here ?? { me: g.board[YOU], opp: g.board[FOE] };
  const owner = g.owner < 0 ? "centre" : side(g.owner);
  const to = { me: pos.me, opp: pos.opp, checkers: g.checkers, cube: { value: g.cube, owner }, roll: side(g.turn) };
  if (g.phase === "answer") to.cube = { value: g.offered, owner, offered: side(1 - g.turn) };
  if (g.dice?.length && g.phase === "move") Object.assign(to, { dice: diceShown(g, here), diceSide: side(g.turn) });
  const last = options.last() && !here?.path.length && g.acts.findLast((a) => a.kind === "move");
  if (last?.steps?.length && last.side !== g.turn) to.last = { side: side(last.side), steps: last.steps };
  if (here) Object.assign(to, { live: !busy, used: here.used(), sources: here.sources() });
  board.set(to);
  const pips = (c) => c.reduce((sum, n, i) => sum + n * (i + 1), 0);
  for (const n of [FOE, YOU]) {
    const seat = $("seat" + (view().turned ? 1 - n : n));
    seat.classList.toggle("on", g.turn === n && !g.result);
    seat.replaceChildren(
      h("i", { class: "chip " + side(n) }),
      h("span", { class: "who" }, g.names[n]),
      h("span", { class: "pips" }, _`${pips(n === YOU ? pos.me : pos.opp)} pips`),
      h("span", { class: "score" }, g.length ? _`${g.score[n]} of ${g.length}` : points(g.score[n])),
    );
  }
  if (st.watched) $("status").textContent = statusOfWatched(st.watched);
  else $("status").textContent = here || g.phase !== "move" || g.turn === FOE ? statusOf(g, here) : "";
  $("silent").textContent = st.locked ? _`The engine is silent until the match is over.` : "";
  const rows = rowsOf(g, null);
  const said = (list) => [...list].map((el) => el.textContent).join("\n");
  if (said(rows) !== said($("log").children)) {
    $("log").replaceChildren(...rows);
    $("log").scrollTop = $("log").scrollHeight;
  }
  actions();
}

/** offer is a button with a key, which waits while a request is under way. */
const offer = (text, key, fn, kind = "", enabled = true) =>
  button(text, fn, { class: kind, "data-key": key, disabled: busy || !enabled, "aria-keyshortcuts": key });

/** actions shows what the person may do at the board. */
function actions() {
  const one = (kind) => () => act({ kind });
  const out = [];
  if (st.watched) return refill($("actions"), ...watchActions(st.watched, offer, command).filter(Boolean));
  if (st.asked) {
    if (g.phase === "roll") out.push(offer(_`Roll`, "r", one("roll"), "primary"));
    if (g.phase === "roll" && g.may_double) out.push(offer(_`Double to ${2 * g.cube}`, "d", one("double")));
    if (here) {
      out.push(
        offer(_`Done`, "Enter", () => act({ kind: "move", play: here.text }), "primary", here.may),
        offer(_`Undo step`, "Backspace", stepBack, "", here.path.length > 0),
      );
    }
    if (g.phase === "answer") {
      out.push(offer(_`Take`, "t", one("take"), "primary"), offer(_`Pass`, "p", one("drop")));
    }
    if (g.phase === "resign") {
      out.push(offer(_`Accept`, "a", one("accept"), "primary"), offer(_`Reject`, "x", one("reject")));
    }
    if (g.phase === "roll" || g.phase === "move") out.push(offer(_`Resign`, "q", resign));
  }
  if (g.phase === "match_over") {
    out.push(offer(_`Play again`, "n", () => command("rematch"), "primary"));
    if (st.archived) out.push(h("a", { class: "button", href: "/matches/" + st.archived }, _`Review the match`));
  } else out.push(offer(_`Leave the match`, "l", leave));
  refill($("actions"), ...out);
}

async function resign() {
  const atOnce = () =>
    question(_`Resign?`, _`You lose the game at once.`, [
      ["", _`Play on`, "primary"],
      ["1", _`Resign`],
    ]);
  const level = Number(await (st.forfeits ? atOnce() : resignation()));
  if (level) act({ kind: "resign", level });
}

async function leave() {
  const what = st.forfeits ? _`You lose the match.` : _`The server saves it.`;
  const sure = await question(_`Leave the match?`, what, [
    ["", _`Play on`, "primary"],
    ["yes", _`Leave the match`],
  ]);
  if (sure) command("leave");
}

/** offers shows invitations and saved matches. */
function offers() {
  /** @type {(o: LobbyOffer, text: string, does: string, line: string) => HTMLElement} */
  const row = (o, text, does, line) => {
    const props = { class: "primary", "aria-label": `${does}: ${o.with}` };
    return h(
      "li",
      {},
      h("span", {}, text),
      button(does, () => command(line), props),
    );
  };
  const asked = (o) => _`${o.with} invites you: ${o.resume ? _`saved match` : lengthOf(o.length)}`;
  const saved = (o) => _`Saved match with ${o.with}: ${lengthOf(o.length)}, ${o.score[0]}–${o.score[1]}`;
  const lengthOf = (n) => (n > 0 ? points(n) : _`unlimited`);
  const invitations = st.invitations.filter((o) => !ignored(st.server, o.with));
  const waiting = st.saved.filter((o) => !invitations.some((i) => i.resume && i.with === o.with));
  const rows = [
    ...invitations.map((o) => row(o, asked(o), _`Accept`, `join ${o.with}`)),
    ...waiting.map((o) => row(o, saved(o), _`Resume`, `resume ${o.with}`)),
  ];
  refill($("offers"), ...(rows.length ? [h("ul", { class: "rows card" }, ...rows)] : []));
}

$("login").addEventListener("submit", async (e) => {
  e.preventDefault();
  const form = /** @type {HTMLFormElement} */ (e.target);
  const f = new FormData(form);
  const body = Object.fromEntries(["server", "protocol", "account", "password"].map((k) => [k, f.get(k)]));
  const err = await call("POST", "", { ...body, register: f.has("register") });
  show($("trouble"), err ?? (st?.error ? new Error(st.error) : null));
  form.elements["password"].value = "";
});
$("login").elements.server.addEventListener("change", ({ target }) => {
  if (/^bgammon\.org/.test(target.value)) $("login").elements.protocol.value = "bgammon";
});
$("logout").addEventListener("click", async () => {
  const err = await call("DELETE", "");
  if (err) toast(err.message);
});
listen(command, (line) => call("POST", "/commands", { line }));
$("open").addEventListener("click", () => command(st.opened ? "close" : `open ${$("length").value}`));
$("say").addEventListener("submit", async (e) => {
  e.preventDefault();
  const form = /** @type {HTMLFormElement} */ (e.target);
  const line = form.elements["line"].value.trim();
  if (!line) return;
  const err = await call("POST", "/commands", { line: line[0] === "/" ? line.slice(1) : "say " + line });
  show($("say-error"), err, form.elements["line"]);
  if (!err) form.elements["line"].value = "";
});
document.addEventListener("keydown", (e) => {
  if (g && !$("table").hidden && !$("ask").open) pressKey(e, $("actions"));
});
onView(() => {
  if (g) draw();
});

const stream = new EventSource(below("/api/v1/online/events"));
stream.addEventListener("online", (e) => take(JSON.parse(e.data)));
stream.addEventListener("error", () => {
  $("head").hidden = false;
  $("state").textContent = _`fibsbot does not answer (is it still running?)`;
});
setInterval(() => {
  if (st && !$("lobby").hidden && !document.hidden) people.show();
}, 5000);
