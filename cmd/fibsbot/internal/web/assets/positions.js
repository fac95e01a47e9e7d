// The page Positions.

import {
  $,
  _,
  ask,
  below,
  fillPresets,
  h,
  phrase,
  Problem,
  remember,
  remembered,
  show,
  signed,
  toast,
} from "./site.js";
import { Board } from "./board.js";
import { Rollouts } from "./rollouts.js";
import { Collections } from "./collections.js";
import { Search } from "./search.js";
import { share } from "./share.js";
import { steps } from "./notation.js";
import { countsPanel, inBook, rollsPanel, scoresPanel } from "./panels.js";
import { cubeTable, playsTable } from "./tables.js";

const form = $("state");
// By name; form.elements would take "length" for its own.
const field = Object.fromEntries([...form.elements].filter((el) => el.name).map((el) => [el.name, el]));
let me = [];
let opp = []; // checkers by own point
let brush = "me";
let tab = remembered("tab", "decision");
let asking = null; // of the pending analysis
let where = null; // the position as the server describes it
const fill = (c) => Array.from({ length: 25 }, (_, i) => c[i] ?? 0);
const starts = Object.fromEntries([...field.variation.options].map((o) => [o.value, JSON.parse(o.dataset.start)]));

/** start is the start of the chosen game, each the checkers of a side. */
const start = () => fill(starts[field.variation.value]);
const each = () => sum(start());

const board = new Board($("board"), "edit", {
  drop(side, from, to) {
    const mine = side === "me" ? me : opp;
    if (from) mine[from - 1]--;
    if (to === "bar") to = side === "opp" ? 25 : undefined;
    else if (side === "opp" && typeof to === "number" && to >= 1 && to <= 24) to = 25 - to;
    if (to >= 1 && to <= 25 && free(side, to)) mine[to - 1]++;
    else if (from && to >= 1) mine[from - 1]++; // the place is taken
    changed();
  },
  tap(p, erase) {
    put(p, erase ? -1 : 1, erase ? holder(p) : brush);
  },
  key(e, p) {
    if (/^[0-9]$/.test(e.key)) set(p, Number(e.key), brush === "none" ? "me" : brush);
    else if (e.key === "+" || e.key === "Enter" || e.key === " ") {
      put(p, brush === "none" ? -1 : 1, brush === "none" ? holder(p) : brush);
    } else if (e.key === "-" || e.key === "Delete" || e.key === "Backspace") put(p, -1, holder(p));
    else return;
    e.preventDefault();
  },
});

/** own is the owner's number of a place on the board. */
function own(side, p) {
  if (p === "bar") return side === "opp" ? 25 : undefined;
  if (p === 25) return side === "me" ? 25 : undefined;
  if (p === 0) return undefined;
  return side === "me" ? p : 25 - p;
}

const holder = (p) => (p === "bar" || (p >= 1 && p <= 24 && opp[24 - p] > 0) ? "opp" : "me");
const sum = (c) => c.reduce((a, b) => a + b, 0);
const free = (side, n) => n === 25 || (side === "me" ? opp : me)[24 - n] === 0;

function put(p, by, side) {
  if (side === "none") {
    side = holder(p);
    by = -1;
  }
  if (p === 25 && side === "opp") p = "bar";
  else if (p === "bar" && side === "me") p = 25;
  const n = own(side, p);
  const mine = side === "me" ? me : opp;
  if (n === undefined) return;
  if (by > 0 && !free(side, n)) {
    // the other side makes room
    (side === "me" ? opp : me)[24 - n] = 0;
  }
  if (by > 0 && sum(mine) >= each()) {
    toast(_`All checkers of that side are on the board; remove one first.`);
    return;
  }
  mine[n - 1] = Math.max(0, mine[n - 1] + by);
  changed();
}

function set(p, count, side) {
  const n = own(side, p === 25 && side === "opp" ? "bar" : p);
  const mine = side === "me" ? me : opp;
  if (n === undefined) return;
  if (count && !free(side, n)) (side === "me" ? opp : me)[24 - n] = 0;
  mine[n - 1] = Math.min(count, each() - (sum(mine) - mine[n - 1]));
  changed();
}

/* The request from form and board */

function request(more) {
  const length = Number(field.length.value);
  const q = {
    board: [me, opp],
    length,
    cube: Number(field.cube.value),
    owner: field.owner.value,
    preset: field.preset.value || undefined,
  };
  if (length) {
    q.score = [Number(field.me.value), Number(field.opp.value)];
    q.crawford = field.crawford.checked;
  } else {
    q.jacoby = field.jacoby.checked;
    q.beavers = field.beavers.checked ? 3 : 0; // as gnubg counts them
  }
  if (dice()) q.dice = dice();
  return { ...q, ...rules(), ...more };
}

/** rules are what an XGID cannot say. */
const rules = () => ({
  variation: field.variation.value || undefined,
  drops: field.drops.checked ? "position" : undefined,
});

const dice = () => (field.d1.value && field.d2.value ? [Number(field.d1.value), Number(field.d2.value)] : null);

function draw(arrows) {
  const d = dice();
  board.set({
    me,
    opp,
    checkers: each(),
    dice: d ?? [],
    diceSide: "me",
    arrows,
    cube: { value: Number(field.cube.value), owner: { me: "me", opponent: "opp" }[field.owner.value] ?? "centre" },
  });
}

const wrong = {
  board: null,
  length: field.length,
  score: field.me,
  cube: field.cube,
  owner: field.owner,
  crawford: field.crawford,
  dice: field.d1,
  preset: field.preset,
  variation: field.variation,
};

/** complain shows an error at its field, or clears it. */
function complain(err) {
  for (const el of Object.values(wrong)) el?.removeAttribute("aria-invalid");
  show($("state-error"), err, err instanceof Problem ? wrong[err.field] : null);
}

const shared = share(document.querySelector(".share"), request);
let timer = 0;

/** changed shows the board at once and evaluates it a moment later. */
function changed(fromText = false) {
  field.me.disabled = field.opp.disabled = field.crawford.disabled = field.length.value === "0";
  field.jacoby.disabled = field.beavers.disabled = field.length.value !== "0";
  draw();
  clearTimeout(timer);
  timer = setTimeout(() => look(fromText), 120);
}

async function look(fromText) {
  asking?.abort();
  asking = new AbortController();
  const signal = asking.signal;
  try {
    where = await ask("POST", "/position", { ...request(), preset: undefined }, signal);
    complain(null);
    if (!fromText) {
      $("id").value = where.xgid;
      show($("id-error"), null, $("id"));
    }
    $("ids").textContent = `${where.position_id}:${where.match_id} · ` + _`pips ${where.pips[0]} to ${where.pips[1]}`;
    $("playhere").hidden = where.finished;
    $("playhere").href =
      below("/play?position=") +
      encodeURIComponent(where.xgid) +
      (field.variation.value ? "&variation=" + encodeURIComponent(field.variation.value) : "");
    const address =
      "?position=" +
      encodeURIComponent(where.xgid) +
      (field.variation.value ? "&game=" + field.variation.value : "") +
      (field.drops.checked ? "&drops=position" : "");
    history.replaceState({}, "", address);
    shared.set(where, field.variation.value, address);
    await analyse(signal);
  } catch (err) {
    if (err.name !== "AbortError") {
      complain(err);
      $("panel").replaceChildren(h("p", { class: "empty" }, _`This position cannot be analysed: ` + err.message));
      $("panel").setAttribute("aria-busy", "false");
    }
  }
}

/** take shows a described position in board and form. */
function take(d) {
  [me, opp] = d.board.map((side) => [...side]);
  if (![...field.length.options].some((o) => o.value === String(d.length))) {
    field.length.append(h("option", { value: d.length }, String(d.length)));
  }
  field.length.value = d.length;
  [field.me.value, field.opp.value] = d.score;
  field.cube.value = d.cube;
  field.owner.value = d.owner;
  field.crawford.checked = d.crawford;
  field.jacoby.checked = d.length === 0 ? d.jacoby : true;
  field.beavers.checked = d.length === 0 ? d.beavers > 0 : true;
  field.d1.value = d.dice[0] ?? "";
  field.d2.value = d.dice[1] ?? "";
}

async function read(text) {
  const box = $("id");
  try {
    take(await ask("POST", "/position", { position: text, variation: field.variation.value || undefined }));
    show($("id-error"), null, box);
    changed(true);
  } catch (err) {
    show($("id-error"), err, box);
  }
}

/* The analysis */

async function analyse(signal) {
  const panel = $("panel");
  if (tab === "rollout") return rollouts(panel);
  if (kept[tab]) return kept[tab].show(panel, where);
  if (where.finished) {
    panel.replaceChildren(h("p", { class: "empty" }, _`The game is over in this position.`));
    return;
  }
  panel.setAttribute("aria-busy", "true");
  const fill = { decision, rolls, scores, counts }[tab];
  try {
    const parts = await fill(signal);
    panel.replaceChildren(...parts);
  } finally {
    if (!signal.aborted) panel.setAttribute("aria-busy", "false");
  }
}

/* Collections and search: they keep what was typed while the position changes. */
const kept = {
  collections: new Collections((item) => {
    field.drops.checked = !!item.drops;
    read(item.xgid);
  }, rules),
  search: new Search((p) => read(p)),
};

const chosen = new Set(); // the plays to roll out
let chosenFor = ""; // of this position and roll

async function decision(signal) {
  if (dice()) {
    const v = await ask("POST", "/plays", request({ why: true }), signal);
    if (chosenFor !== where.xgid) chosen.clear();
    chosenFor = where.xgid;
    if (!v.moves.length) return [h("p", { class: "empty" }, _`No legal play.`)];
    return [
      h("p", { class: "verdict" }, v.moves[0].move),
      v.reason ? h("p", { class: "why" }, v.reason) : "",
      playsTable(v.moves.slice(0, 12), (m) => draw(steps(m.move)), chosen),
      v.moves.length > 12 ? h("p", { class: "dim" }, _`${v.moves.length - 12} weaker plays not shown`) : "",
      h("p", { class: "dim" }, _`Ticked plays go into the next rollout.`),
      inBook(v.book),
    ];
  }
  const v = await ask("POST", "/eval", request({ why: true }), signal);
  if (field.variation.value) v.class = "hypergammon"; // the API's class is that of the nets
  return [
    h("p", { class: "verdict" }, phrase(v.words ?? "") || _`Equity ${signed(v.cubeful_equity)}`),
    v.reason ? h("p", { class: "why" }, v.reason) : "",
    cubeTable(v),
  ];
}

const rolls = async (signal) => rollsPanel(await ask("POST", "/rolls", request({ dice: undefined }), signal));

async function scores(signal) {
  const q = request({ preset: "expert", away: 9, length: 0, score: undefined, crawford: undefined });
  return scoresPanel(await ask("POST", "/scores", q, signal), !!dice());
}

async function counts(signal) {
  return countsPanel(await ask("POST", "/eval", request({ dice: undefined, windows: true, counts: true }), signal));
}

/* Rollouts: those of this server, live */

async function rollouts(panel) {
  panel.setAttribute("aria-busy", "false");
  if (!panel.querySelector("#roll")) {
    panel.replaceChildren(rolloutForm(), h("p", { class: "dim", id: "roll-what" }), h("div", { id: "rollouts" }));
    live = new Rollouts($("rollouts"), { show: again, compare: true });
  }
  $("roll-what").textContent = rolledOut();
  try {
    await live.list();
  } catch (err) {
    show($("roll-error"), err);
  }
}

/** rolledOut says what a new rollout is of. */
function rolledOut() {
  if (!dice()) return _`Rolls out no double and double, take.`;
  return chosen.size
    ? _`Rolls out the plays ticked under Decision.`
    : _`Rolls out the best three plays of this roll; tick others under Decision.`;
}

/** rolloutForm starts rollouts. */
function rolloutForm() {
  const choice = (label, name, options, selected) => {
    const list = options.map(([value, text]) => h("option", { value, selected: value === selected }, text));
    return h("label", {}, label, h("select", { name }, ...list));
  };
  const trials = [144, 324, 1296, 5184, 20736].map((n) => [n, String(n)]);
  const ends = [
    [0, _`to the end`],
    [7, _`7 plies`],
    [11, _`11 plies`],
  ];
  const bounds = [
    [0, _`never`],
    [2.33, _`at 2.33 JSD`],
    [3, _`at 3 JSD`],
  ];
  const form = h(
    "form",
    { id: "roll", class: "grid" },
    choice(_`Trials `, "trials", trials, 1296),
    choice(_`Played by `, "by", []),
    choice(_`Truncate `, "truncate", ends),
    choice(_`Stop early `, "jsd", bounds),
    h("button", { class: "primary" }, _`Roll out`),
    h("p", { class: "error span", id: "roll-error", role: "alert", hidden: true }),
  );
  fillPresets(form.elements.by, "expert").catch((err) => toast(err.message));
  form.addEventListener("submit", startRollout);
  return form;
}

let live = null; // the list of rollouts, once it was shown

/** again sets up the position of a rollout. */
function again(r) {
  field.variation.value = Object.hasOwn(starts, r.variation ?? "") ? (r.variation ?? "") : "";
  read(r.xgid);
}

async function startRollout(e) {
  e.preventDefault();
  const f = e.target.elements;
  try {
    const plays = dice() && chosen.size ? [...chosen] : undefined;
    await live.start(
      request({
        preset: f.by.value,
        trials: Number(f.trials.value),
        truncate: Number(f.truncate.value),
        stop_jsd: Number(f.jsd.value),
        plays,
      }),
    );
    show($("roll-error"), null);
  } catch (err) {
    show($("roll-error"), err);
  }
}

/* Controls */

for (let n = 1; n <= 64; n++) {
  if (n < 12 || n === 13 || n === 15 || n === 17 || n === 21 || n === 25) {
    field.length.append(h("option", { value: n }, String(n)));
  }
}
form.addEventListener("submit", (e) => e.preventDefault());
form.addEventListener("input", (e) => {
  if (e.target === field.cube && field.cube.value === "1") field.owner.value = "centre";
  if (e.target === field.length && field.length.value !== "0") {
    for (const el of [field.me, field.opp]) el.value = Math.min(el.value, field.length.value - 1);
  }
  if ((e.target === field.d1 && !field.d1.value) || (e.target === field.d2 && !field.d2.value)) {
    field.d1.value = field.d2.value = "";
  }
  if (e.target === field.variation) {
    [me, opp] = [start(), start()]; // the checkers of another game
    chosen.clear();
  }
  if (e.target === field.preset) remember("judge", field.preset.value);
  if ((field.d1.value === "") !== (field.d2.value === "")) return draw();
  changed();
});
/** @type {HTMLElement} */
const segment = document.querySelector(".segment");
segment.addEventListener("click", (e) => {
  /** @type {HTMLElement} */
  const b = /** @type {Element} */ (e.target).closest("[data-brush]");
  if (!b) return;
  brush = b.dataset.brush;
  for (const other of segment.children) other.setAttribute("aria-checked", String(other === b));
});
$("start").addEventListener("click", () => {
  [me, opp] = [start(), start()];
  changed();
});
$("clear").addEventListener("click", () => {
  me.fill(0);
  opp.fill(0);
  changed();
});
$("swap").addEventListener("click", () => {
  [me, opp] = [opp, me];
  [field.me.value, field.opp.value] = [field.opp.value, field.me.value];
  field.owner.value = { me: "opponent", opponent: "me" }[field.owner.value] ?? "centre";
  field.d1.value = field.d2.value = "";
  changed();
});
let typing = 0;
$("id").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    if ($("id").value.trim()) read($("id").value);
  }, 350);
});
$("paste").addEventListener("submit", (e) => e.preventDefault());

const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);
function choose(name, focus) {
  tab = name;
  remember("tab", name);
  for (const t of tabs) {
    const on = t.id === "tab-" + name;
    t.setAttribute("aria-selected", String(on));
    t.tabIndex = on ? 0 : -1;
    if (on && focus) t.focus();
    if (on) t.parentElement.scrollLeft = t.offsetLeft - t.parentElement.offsetLeft - 40;
  }
  $("panel").setAttribute("aria-labelledby", "tab-" + name);
  $("panel").replaceChildren();
  if (where) look(true);
}
tabs.forEach((t, i) => {
  t.addEventListener("click", () => choose(t.id.slice(4)));
  t.addEventListener("keydown", (e) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (by) choose(tabs[(i + by + tabs.length) % tabs.length].id.slice(4), true);
  });
});

async function begin() {
  if (!tabs.some((t) => t.id === "tab-" + tab)) tab = "decision";
  choose(tab);
  await fillPresets(field.preset, remembered("judge", "worldclass"));
  const asked = new URLSearchParams(location.search);
  const given = asked.get("position") ?? asked.get("p") ?? asked.get("id"); // p and id are of older links
  const odd = [...asked.keys()].filter((name) => !["position", "p", "id", "game", "drops"].includes(name));
  if (odd.length) toast(_`The address has a part that this page does not know: ${odd.join(", ")}`);
  field.variation.value = Object.hasOwn(starts, asked.get("game") ?? "") ? (asked.get("game") ?? "") : "";
  field.drops.checked = asked.get("drops") === "position";
  [me, opp] = [start(), start()];
  if (given) {
    $("id").value = given;
    await read(given);
    if (!where && !$("id-error").hidden) changed(true); // the start, with the error of the address
  } else changed();
}
begin().catch((err) => complain(err));
