// The clock of a match, shown in the seats. The server keeps what is left of each side; this
// page counts the present turn and reports it with the act.

import { h } from "./site.js";
import { YOU } from "./sides.js";

const acting = ["roll", "dice", "move", "answer", "resign"];
let g = null;
let since = 0;
let up = null;
let flagged = 0;

const startKey = () => `clock ${g.id} ${g.version}`;

/** setClock takes a new state of the match; ended is called once when the time of a person
    is up in a match that can be lost on time. */
export function setClock(state, ended) {
  const same = g?.id === state.id && g.version === state.version;
  g = state;
  up = ended;
  if (!g.clock || same) return;
  try {
    // a reload does not stop the clock
    since = Number(sessionStorage.getItem(startKey())) || Date.now();
    sessionStorage.setItem(startKey(), String(since));
  } catch {
    since = Date.now();
  }
}

/** spent is the time of the present act in milliseconds, undefined without a clock. */
export const spent = () => (g?.clock ? Math.max(0, Date.now() - since) : undefined);

/** left is the time of a side in milliseconds. */
function left(side) {
  const c = g.clock;
  const running = g.turn === side && acting.includes(g.phase) && !g.result && !g.opening;
  if (!running) return c.left_ms[side];
  const used = c.used_ms + Date.now() - since;
  return c.left_ms[side] - (c.kind === "bronstein" ? Math.max(0, used - 1000 * c.delay) : used);
}

/** face is the time of a side for its seat, or nothing. */
export function face(side) {
  if (!g?.clock) return "";
  const el = h("span", { class: "clock", role: "timer" });
  el.dataset.side = side;
  write(el);
  return el;
}

function write(el) {
  const ms = left(Number(el.dataset.side));
  const s = Math.ceil(Math.abs(ms) / 1000);
  const text = (ms < 0 ? "−" : "") + `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  if (el.textContent !== text) el.textContent = text;
  el.classList.toggle("short", ms < 30000);
}

setInterval(() => {
  if (!g?.clock || g.result) return;
  for (const el of document.querySelectorAll(".clock")) write(el);
  if (g.clock.loses && (g.two_players || g.turn === YOU) && left(g.turn) <= 0 && flagged !== g.version) {
    flagged = g.version;
    up?.();
  }
}, 250);
