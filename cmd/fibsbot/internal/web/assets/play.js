// The page Play. The server decides which acts are legal.

import { _, ask, fillPresets, h, phrase, remember, remembered, show, toast } from "./site.js";
import { Board } from "./board.js";
import { Mover } from "./mover.js";
import { cubeTable, playsTable } from "./tables.js";

const $ = (id) => document.getElementById(id);
const YOU = 1, FOE = 0;
let g = null; // the match, as the server last sent it
let board = null;
let here = null; // the play being made
let busy = false; // a request or an animation is under way
let trouble = ""; // why the server cannot be reached

const options = {
  tutor: () => $("opt-tutor").checked ? Number($("opt-bound").value) : 0,
  animate: () => $("opt-animate").checked,
  confirm: () => $("opt-confirm").checked,
  roll: () => $("opt-roll").checked,
};
const still = matchMedia("(prefers-reduced-motion: reduce)");
for (const [id, fallback] of [["opt-tutor", "0"], ["opt-animate", still.matches ? "0" : "1"], ["opt-confirm", "1"], ["opt-roll", "0"]]) {
  $(id).checked = remembered(id, fallback) === "1";
  $(id).addEventListener("change", () => remember(id, $(id).checked ? "1" : "0"));
}
const pause = (ms) => new Promise((done) => setTimeout(done, options.animate() ? ms : 0));

/* The lobby */

/** gameName is the game, "" for backgammon. */
function gameName(m) {
  const name = { Nackgammon: _`nackgammon`, Longgammon: _`longgammon`, Hypergammon3: _`hypergammon`, Hypergammon2: _`hypergammon, 2 checkers`, Hypergammon1: _`hypergammon, 1 checker` }[m.variation] ?? "";
  return [name, m.egyptian ? _`Egyptian rule` : ""].filter(Boolean).join(", ");
}

/** rated is an approximate rating in words, "" if unknown. */
function rated(p) {
  if (!p?.rating) return "";
  return p.beyond ? _`above ${p.rating} on FIBS` : _`about ${p.rating} on FIBS`;
}

async function lobby() {
  $("table").hidden = true;
  $("lobby").hidden = false;
  const list = $("games");
  try {
    const { games, damaged } = await ask("GET", "/games");
    list.replaceChildren(...games.map((m) => h("li", {},
      h("span", {}, h("strong", {}, m.names[FOE]), " ", m.length ? _`${m.score[YOU]}–${m.score[FOE]} of ${m.length}, game ${m.game}` : _`money, ${m.score[YOU]}–${m.score[FOE]}, game ${m.game}`,
        h("br"), h("span", { class: "dim" }, gameName(m) && gameName(m) + " · ", new Date(m.created).toLocaleString())),
      h("a", { class: "button", href: "?m=" + m.id }, _`Continue`))));
    if (damaged) list.append(h("li", { class: "error" }, damaged));
  } catch (err) {
    list.replaceChildren(h("li", { class: "error" }, err.message));
  }
  $("waiting").hidden = !list.children.length;
}

let preview = null;

/** lookAt shows the start of the chosen game. */
async function lookAt() {
  const variation = $("new").elements.variation.value || "backgammon";
  try {
    const d = await ask("POST", "/position", { variation });
    preview ??= new Board($("preview"), "view");
    preview.set({ me: d.board[0], opp: d.board[1], checkers: d.checkers, cube: { value: 1, owner: "centre" } });
  } catch {
    // the board is only a preview; starting the match reports the error
  }
}

function byKind() {
  const by = new FormData($("new")).get("by");
  for (const el of $("new").querySelectorAll("[data-by]")) el.hidden = el.dataset.by !== by;
  $("new").querySelector("[data-money]").hidden = $("new").querySelector("[name=length]").value !== "0";
  const f = $("new").elements;
  f.raccoons.disabled = !f.beavers.checked;
}

async function setUpLobby() {
  const form = $("new");
  form.addEventListener("change", byKind);
  form.elements.variation.addEventListener("change", lookAt);
  lookAt();
  form.elements.name.value = remembered("name", "");
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const f = new FormData(form);
    const want = { length: Number(f.get("length")), name: f.get("name").trim(), no_cube: !f.get("cube") };
    if (f.get("variation")) want.variation = f.get("variation");
    if (f.get("egyptian")) want.egyptian = true;
    if (want.length === 0) Object.assign(want, { jacoby: !!f.get("jacoby"), beavers: !f.get("beavers") ? 0 : f.get("raccoons") ? 3 : 1, auto_doubles: f.get("auto") && f.get("cube") ? 1 : 0 });
    if (f.get("by") === "preset") want.preset = f.get("preset");
    else if (f.get("by") === "character") {
      want.character = f.get("character");
      remember("character", want.character);
    }
    else Object.assign(want, { rating: Number(f.get("rating")), style: "human" });
    remember("name", want.name);
    if (want.preset) remember("opponent", want.preset);
    try {
      const made = await ask("POST", "/games", want);
      show($("new-error"), null);
      history.pushState({}, "", "?m=" + made.id);
      open(made);
    } catch (err) {
      show($("new-error"), err);
    }
  });
  await setUpStrengths(form);
  const list = await ask("GET", "/characters"), choice = form.elements.character;
  choice.replaceChildren(...list.map((p) => h("option", { value: p.name, selected: p.name === remembered("character", "club player") }, phrase(p.name))));
  const describe = () => {
    const p = list.find((x) => x.name === choice.value);
    $("character").textContent = p ? [phrase(p.summary), rated(p)].filter(Boolean).join("; ") : "";
  };
  choice.addEventListener("change", describe);
  describe();
}

/** setUpStrengths lists the presets with their ratings in matches of the chosen length.
    Ratings are for backgammon with a cube. */
async function setUpStrengths(form) {
  const f = form.elements, length = f.namedItem("length"); // f.length counts them
  let presets = await fillPresets(f.preset, remembered("opponent", "expert"));
  // Not a preset: it has no rating and no cube, and comes last.
  f.preset.append(h("option", { value: "pubeval", selected: remembered("opponent", "") === "pubeval" }, "pubeval"));
  const tell = () => {
    const plain = !f.variation.value && !f.egyptian.checked && f.cube.checked;
    for (const [i, p] of presets.entries()) f.preset.options[i].textContent = plain && p.rating ? p.name + " · " + rated(p) : p.name;
    const p = presets.find((x) => x.name === f.preset.value);
    $("summary").textContent = p ? phrase(p.summary) : _`Tesauro's benchmark player of 1993, without a cube`;
    $("beginners").hidden = !plain || f.by.value === "character";
  };
  form.addEventListener("change", tell);
  length.addEventListener("change", async () => {
    try {
      const wanted = length.value, list = await ask("GET", "/presets?length=" + wanted);
      if (wanted !== length.value) return; // answers may arrive out of order
      presets = list;
      tell();
    } catch {
      // keep the old ratings; starting the match reports the error
    }
  });
  if (length.value !== "5") length.dispatchEvent(new Event("change", { bubbles: true })); // a browser may fill forms in
  tell();
}

/* The table */

function open(state) {
  $("lobby").hidden = true;
  $("table").hidden = false;
  board ??= new Board($("board"), "play", {
    targets: (from) => [...here.ways(from).keys()],
    move: (from, to) => step(here.ways(from).get(to)),
    tap: (from) => step(here.easiest(from)),
    dice: () => {
      here?.swap();
      draw();
    },
  });
  g = state;
  begin();
  advance();
}

/** begin prepares a play of the dice. */
function begin() {
  here = null;
  if (g.phase === "move" && g.turn === YOU) {
    here = new Mover(g.moves, g.dice, g.board[YOU], g.board[FOE]);
  }
  draw();
}

/** step makes steps of the play on the board. */
function step(path) {
  if (!path || busy) return;
  here.step(path);
  draw();
  if (here.stuck && !options.confirm()) finish();
}

function stepBack() {
  if (here?.back()) draw();
}

function finish() {
  if (here?.may) act({ kind: "move", play: here.text });
}

function draw() {
  const pos = here ?? { me: g.board[YOU], opp: g.board[FOE] };
  const owner = { [-1]: "centre", [YOU]: "me", [FOE]: "opp" }[g.owner];
  const st = { me: pos.me, opp: pos.opp, checkers: g.checkers, cube: { value: g.cube, owner } };
  if (g.phase === "answer") st.cube = { value: g.offered, owner, offered: g.turn === YOU ? "opp" : "me" };
  if (g.dice?.length && (g.phase === "move" || g.phase === "resign")) {
    st.dice = here ? here.order : g.dice;
    st.diceSide = (g.phase === "move" ? g.turn : 1 - g.turn) === YOU ? "me" : "opp";
  }
  if (here) {
    st.live = !busy;
    st.used = here.used();
    st.sources = here.sources();
  }
  board.set(st);
  seats(pos);
  actions();
  $("what").textContent = [g.length ? _`A match of ${points(g.length)}` : _`Money play`, gameName(g), rated(g.opponent) && `${g.names[FOE]}: ${rated(g.opponent)}`].filter(Boolean).join(" · ");
  $("ids").textContent = g.position_id ? `${g.position_id}:${g.match_id}  ${g.xgid}` : "";
  moves();
}

function seats(pos) {
  const pips = (c) => c.reduce((sum, n, i) => sum + n * (i + 1), 0);
  for (const side of [FOE, YOU]) {
    const seat = $("seat" + side);
    seat.classList.toggle("on", g.turn === side && !g.result);
    seat.replaceChildren(h("i", { class: "chip " + (side === YOU ? "me" : "opp") }), h("span", { class: "who" }, g.names[side]),
      h("span", { class: "pips" }, _`${pips(side === YOU ? pos.me : pos.opp)} pips`),
      h("span", { class: "score" }, g.length && g.phase !== "match_over" ? _`${g.score[side]} of ${g.length}` : _`${g.score[side]} points`, g.crawford && side === FOE ? _` · Crawford` : ""));
  }
}

const points = (n) => (n === 1 ? _`1 point` : _`${n} points`);
const how = { off: "", drop: _`(double passed)`, resign: _`(resigned)` };

function status() {
  if (trouble) return trouble;
  const mine = g.turn === YOU, foe = g.names[FOE];
  if (g.result) {
    const level = ["", "", _`a gammon, `, _`a backgammon, `][g.result.level];
    const who = g.result.winner === YOU ? _`You win` : _`${foe} wins`;
    const text = `${who} ${level}${points(g.result.points)} ${how[g.result.how]}`.trim() + ".";
    return g.phase === "match_over" ? `${text} ` + _`The match is over, ${g.score[YOU]}–${g.score[FOE]}.` : text;
  }
  switch (g.phase) {
    case "roll": return mine ? (g.may_double ? _`Your turn: roll or double.` : _`Your turn: roll.`) : _`${foe} is thinking…`;
    case "move":
      if (!mine) return _`${foe} plays ${g.dice.join("-")}…`;
      if (g.moves.length === 1) return _`You rolled ${g.dice.join("-")} and cannot move.`;
      return here.may ? _`Confirm the play, or undo steps.` : _`Your turn: play ${g.dice.join("-")}.`;
    case "answer": {
      if (g.offered === 8 * g.cube) return mine ? _`${foe} raccoons to ${g.offered}. Take or pass?` : _`You raccooned to ${g.offered}.`;
      if (g.offered === 4 * g.cube) return mine ? _`${foe} beavers to ${g.offered}. Take or pass?` : _`You beavered to ${g.offered}.`;
      return mine ? _`${foe} doubles to ${g.offered}. Take or pass?` : _`You doubled to ${g.offered}.`;
    }
    case "resign": return mine ? _`${foe} resigns ${["", _`a single game`, _`a gammon`, _`a backgammon`][g.resign]}. Accept?` : _`You offered to resign.`;
  }
  return "";
}

/** actions shows the buttons of the present phase; each has a key. */
function actions() {
  const out = [];
  const add = (text, key, fn, kind = "", enabled = true) => out.push(h("button", { type: "button", class: kind, "data-key": key, disabled: busy || !enabled, "aria-keyshortcuts": key, onclick: fn }, text));
  const mine = g.turn === YOU && !g.result;
  if (mine && g.phase === "roll") {
    add(_`Roll`, "r", () => act({ kind: "roll" }), "primary");
    if (g.may_double) add(_`Double to ${2 * g.cube}`, "d", () => act({ kind: "double" }));
  }
  if (mine && g.phase === "move") {
    add(_`Done`, "Enter", finish, "primary", here.may);
    add(_`Undo step`, "Backspace", stepBack, "", here.path.length > 0);
  }
  if (mine && g.phase === "answer") {
    add(_`Take`, "t", () => act({ kind: "take" }), "primary");
    if (g.may_beaver) add(_`Beaver`, "b", () => act({ kind: "beaver" }));
    if (g.may_raccoon) add(_`Raccoon`, "b", () => act({ kind: "raccoon" }));
    add(_`Pass`, "p", () => act({ kind: "drop" }));
  }
  if (mine && g.phase === "resign") {
    add(_`Accept`, "a", () => act({ kind: "accept" }), "primary");
    add(_`Reject`, "x", () => act({ kind: "reject" }));
  }
  if (g.phase === "game_over") {
    add(_`Next game`, "n", () => act({ kind: "next" }), "primary");
    if (!g.length) add(_`End the session`, "e", endSession);
  }
  if (g.phase === "match_over") {
    out.push(h("a", { class: "button primary", href: "/play" }, _`Play again`));
    if (g.archived) out.push(h("a", { class: "button", href: "/matches/" + g.archived }, _`Review the match`));
  } else {
    if (mine) add(_`Hint`, "h", hint);
    add(_`Undo`, "u", undo, "", g.may_undo);
    if (mine && (g.phase === "roll" || g.phase === "move")) add(_`Resign`, "q", resign);
  }
  const focused = document.activeElement?.dataset?.key;
  $("actions").replaceChildren(...out);
  if (focused) (out.find((b) => b.dataset.key === focused && !b.disabled) ?? out.find((b) => !b.disabled))?.focus();
  $("status").textContent = status();
}

function moves() {
  const text = (a) => ({ move: a.play || _`cannot move`, double: _`doubles to ${a.cube}`, beaver: _`beavers to ${a.cube}`, raccoon: _`raccoons to ${a.cube}`, take: _`takes`, drop: _`passes`, resign: _`resigns`, accept: _`accepts`, reject: _`plays on` })[a.kind];
  let dice = "";
  const rows = [];
  for (const a of g.acts) {
    if (a.kind === "roll" || a.kind === "start") {
      dice = a.dice.join("");
      continue;
    }
    if (a.kind === "tie") {
      if (a.cube > 1) rows.push(h("li", {}, h("i", {}), h("span", { class: "d" }, a.dice.join("")), h("span", {}, _`equal dice, cube at ${a.cube}`)));
      continue;
    }
    rows.push(h("li", { class: a.side === YOU ? "me" : "opp" }, h("i", { class: "chip" }), h("span", { class: "d" }, a.kind === "move" ? dice : ""),
      h("span", {}, h("span", { class: "hidden" }, g.names[a.side] + ": "), text(a))));
  }
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
  if (g) actions();
  try {
    return await ask("POST", `/games/${g.id}/${path}`, { version: g.version, ...body });
  } catch (err) {
    if (err.status === 409) {
      toast(err.message);
      return await ask("GET", "/games/" + g.id).catch(() => null);
    }
    if (err.status === 404) {
      toast(_`This match was finished or removed in another window.`);
      return null;
    }
    if (err.status === 0) lost();
    else toast(err.message);
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
  g = state;
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
  const next = await call("acts", { ...body, tutor: options.tutor(), confirm: confirmed });
  if (!next) {
    draw();
    return;
  }
  if (next.warning) {
    draw();
    const w = next.warning;
    const answer = await question(_`Think again?`, _`${words(w.act)} loses ${w.loss.toFixed(3)} points against the best.`,
      [["again", _`Think again`, "primary"], ["show", _`Show the best`], ["go", _`Play anyway`]]);
    if (answer === "go") await act(body, true);
    if (answer === "show") await hint();
    return;
  }
  await enter(next);
}

const words = (act) => ({ roll: _`Not doubling`, double: _`Doubling`, beaver: _`Beavering`, raccoon: _`Raccooning`, take: _`Taking`, drop: _`Passing` })[act] ?? act;

/** enter shows the change and lets the engine act at its turn. */
async function enter(next) {
  const old = g;
  const fresh = next.acts.slice(old && old.game === next.game ? old.acts.length : 0);
  const last = fresh[fresh.length - 1];
  if (last?.kind === "move" && last.side === FOE && options.animate()) await slideFoe(last);
  g = next;
  $("advice").hidden = true;
  board.pick(undefined);
  begin();
  await advance();
}

async function slideFoe(a) {
  busy = true;
  const me = [...g.board[YOU]], opp = [...g.board[FOE]];
  const base = { ...board.state, live: false };
  for (const [from, to] of a.steps ?? []) {
    board.set({ ...base, me: [...me], opp: [...opp] });
    await board.slide("opp", from, to, 260);
    opp[from - 1]--;
    if (to > 0) {
      opp[to - 1]++;
      if (me[24 - to] === 1) {
        me[24 - to]--;
        me[24]++;
      }
    }
  }
  busy = false;
}

async function advance() {
  const id = g.id;
  while (g && g.id === id && !g.result && g.turn === FOE) {
    await pause(g.phase === "move" ? 550 : 250);
    const next = await call("think", {});
    if (trouble) return; // it continues automatically
    if (!next) {
      $("actions").replaceChildren(h("button", { type: "button", class: "primary", onclick: advance }, _`Try again`));
      return;
    }
    if (next.version === g.version) break;
    return enter(next);
  }
  if (g.turn !== YOU || g.result) return;
  if (g.phase === "roll" && options.roll() && !g.may_double) return act({ kind: "roll" });
  if (g.phase === "move" && g.moves.length === 1) {
    await pause(1100);
    if (g.phase === "move" && g.turn === YOU && g.moves.length === 1) return act({ kind: "move", play: "" });
  }
}

async function undo() {
  if (busy) return;
  const next = await call("undo", {});
  if (next) {
    g = next;
    $("advice").hidden = true;
    begin();
    advance();
  } else draw();
}

async function hint() {
  if (busy) return;
  const box = $("advice");
  box.hidden = false;
  box.replaceChildren(h("h2", {}, _`Hint`), h("p", { class: "dim" }, _`Thinking…`));
  try {
    const v = await ask("GET", `/games/${g.id}/hint`);
    const shut = h("button", { type: "button", class: "quiet", "aria-label": _`Close the hint`, onclick: () => { box.hidden = true; board.set({ ...board.state, arrows: null }); } }, "×");
    box.replaceChildren(h("h2", {}, _`Hint`, shut), h("p", { class: "verdict" }, phrase(v.words)));
    if (g.phase === "answer") box.append(h("p", { class: "dim" }, _`Chances and equities are the doubler's.`));
    if (v.plays) box.append(playsTable(v.plays.moves.slice(0, 6), (m) => arrowsOf(m)));
    if (v.cube) box.append(cubeTable(v.cube));
  } catch (err) {
    box.replaceChildren(h("h2", {}, _`Hint`), h("p", { class: "error" }, err.message));
  }
}

/** arrowsOf shows a play of the list on the board, by the tree of steps. */
function arrowsOf(m) {
  if (!here) return;
  while (here.path.length) stepBack();
  board.set({ ...board.state, arrows: here.find(m.move) });
}

async function resign() {
  const level = await question(_`Resign?`, _`Resign how much?`, [["", _`Play on`, "primary"], ["1", _`A single game`], ["2", _`A gammon`], ["3", _`A backgammon`]]);
  if (level) act({ kind: "resign", level: Number(level) });
}

async function endSession() {
  const next = await call("close", {});
  if (next) location.href = next.archived ? "/matches/" + next.archived : "/play";
}

/** question asks with a dialog; the answer is the value of a button. */
function question(title, text, buttons) {
  const d = $("ask");
  $("ask-title").textContent = title;
  $("ask-text").textContent = text;
  $("ask-buttons").replaceChildren(...buttons.map(([value, label, kind]) => h("button", { value, class: kind }, label)));
  d.returnValue = "";
  d.showModal();
  return new Promise((done) => d.addEventListener("close", () => done(d.returnValue), { once: true }));
}

document.addEventListener("keydown", (e) => {
  if (!g || $("table").hidden || $("ask").open || e.ctrlKey || e.metaKey || e.altKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  if (e.key === "Enter" && e.target.closest("a, button, summary")) return;
  const b = [...$("actions").querySelectorAll("[data-key]")].find((x) => x.dataset.key.toLowerCase() === e.key.toLowerCase());
  if (b && !b.disabled) {
    e.preventDefault();
    b.click();
  }
});

$("giveup").addEventListener("click", async () => {
  if (await question(_`Delete this match?`, _`It is deleted without a result.`, [["", _`Keep`, "primary"], ["yes", _`Delete`]]) !== "yes") return;
  await ask("DELETE", "/games/" + g.id).catch((err) => toast(err.message));
  location.href = "/play";
});

async function route() {
  const id = new URLSearchParams(location.search).get("m");
  if (!id) return lobby();
  try {
    open(await ask("GET", "/games/" + encodeURIComponent(id)));
  } catch (err) {
    toast(err.message);
    lobby();
  }
}
addEventListener("popstate", route);
byKind();
setUpLobby().catch((err) => toast(err.message));
route();
