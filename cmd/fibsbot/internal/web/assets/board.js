// The board: one component to play, edit and show a position.
//
// A position is { me, opp }: arrays of 25 counts by own point, the bar last. "Own"
// points of the lower player (me) are 1 to 24 from the lower right corner on, 25 is
// the bar and 0 off; those of the upper player are seen from the other side. All drawing
// is done for "me" at the bottom who bears off at the right; Seen puts it where the reader
// has chosen to see it.

import { $, _, s } from "./site.js";
import { onView, view } from "./boardview.js";

const W = 980;
const H = 700;
const TOP = 46;
const BOTTOM = 654;
const LEFT = 92;
const POINT = 60;
const BARX = LEFT + 6 * POINT;
const BARW = 64;
const RIGHT = BARX + BARW;
const DICE = 34; // half the height of the row of dice, kept free of marks
const TRAYX = RIGHT + 6 * POINT + 12;
const R = 28;
const STEP = 53;
const TALL = 262;
const MID = (TOP + BOTTOM) / 2;

/** Seen is where the places of a board are in the picture: flipped from top to bottom, from
    left to right, or both. */
class Seen {
  constructor(top) {
    const v = view();
    this.down = v.turned !== top;
    this.across = v.mirrored;
  }
  x(x) {
    return this.across ? W - x : x;
  }
  y(y) {
    return this.down ? H - y : y;
  }
  at([x, y]) {
    return [this.x(x), this.y(y)];
  }
  /** rect is a rectangle by its corner and size. */
  rect(x, y, w, h) {
    return { x: this.across ? W - x - w : x, y: this.down ? H - y - h : y, width: w, height: h };
  }
}

/** x of the middle of a lower-player point, 1 to 24. */
function pointX(n) {
  const i = n <= 12 ? 12 - n : n - 13;
  return (i < 6 ? LEFT : RIGHT - 6 * POINT) + i * POINT + POINT / 2;
}

/** place is the position of checker number k of a stack of n on a point of a side.
    @returns {[number, number]} */
function place(side, point, k, n) {
  if (point === 25) {
    const squeeze = Math.min(1, 4 / Math.max(1, n));
    const y = side === "me" ? MID + 78 + k * STEP * squeeze : MID - 78 - k * STEP * squeeze;
    return [BARX + BARW / 2, y];
  }
  if (point === 0) {
    const y = side === "me" ? BOTTOM - 12 - k * 17 : TOP + 12 + k * 17;
    return [TRAYX + 35, y];
  }
  const p = side === "me" ? point : 25 - point;
  const j = Math.min(k, 4);
  return [pointX(p), p <= 12 ? BOTTOM - R - 3 - j * STEP : TOP + R + 3 + j * STEP];
}

const words = (n) => (n === 1 ? _`1 checker` : _`${n} checkers`);

/** describe is a position in words, for screen readers. */
export function describe(st) {
  const list = (c) => {
    const out = [];
    for (let i = 24; i >= 0; i--) if (c[i]) out.push(i === 24 ? _`${c[i]} on the bar` : _`${c[i]} on ${i + 1}`);
    const off = (st.checkers ?? 15) - c.reduce((a, b) => a + b, 0);
    if (off) out.push(_`${off} off`);
    return out.join(", ");
  };
  let text = _`You: ${list(st.me)}. Opponent, by their own points: ${list(st.opp)}.`;
  if (st.dice?.length) {
    text +=
      " " + (st.diceSide === "opp" ? _`Opponent rolled ${st.dice.join(", ")}.` : _`You rolled ${st.dice.join(", ")}.`);
  }
  if (st.cube) {
    text +=
      " " +
      ({ me: _`Cube ${st.cube.value}, yours.`, opp: _`Cube ${st.cube.value}, the opponent's.` }[st.cube.owner] ??
        _`Cube ${st.cube.value}, in the centre.`);
  }
  return text;
}

export class Board {
  /**
   * mode is "view", "edit" or "play". on has the callbacks: edit(state) after a change
   * by hand, move(from, to) for a checker moved, tap(from) for one touched, dice() for
   * the dice touched, targets(from) for where a checker may go.
   */
  constructor(el, mode, on = {}) {
    this.el = el;
    this.mode = mode;
    this.on = on;
    this.state = { me: Array(25).fill(0), opp: Array(25).fill(0) };
    this.focus = 24;
    this.upper = true; // which row the focus walks along
    this.svg = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "bg bg-" + mode, role: mode === "view" ? "img" : "group" });
    paints();
    this.back = s("g");
    this.layer = s("g");
    this.hits = s("g");
    this.top = s("g");
    this.svg.append(this.back, this.layer, this.hits, this.top);
    el.replaceChildren(this.svg);
    this.lay();
    if (mode !== "view") this.listen();
    onView(() => {
      if (!this.svg.isConnected) return false;
      this.lay();
      this.draw();
    });
  }

  /** lay makes what does not move: the board, its numbers, the areas to touch. */
  lay() {
    const v = view();
    const st = this.state;
    const mine = st.top ? "opp" : "me";
    const by = v.numbers === "none" ? "" : v.numbers === "roll" ? (st.roll ?? "me") : mine;
    const look = [v.turned, v.mirrored, !!st.top, by].join();
    if (look === this.laid) return;
    this.laid = look;
    this.seen = new Seen(!!st.top);
    this.svg.classList.toggle("bg-other", !!st.top);
    this.back.replaceChildren(backdrop(this.seen, by));
    if (this.mode !== "view") this.makeHits();
  }

  /** set shows a state: me, opp, dice, diceSide, used, cube {value, owner, offered}, live,
      arrows and own (steps to show, those of the player's own play dashed), last (the play
      before, { side, steps }), roll (the side on roll), top (me is the player of the other side
      of the table). */
  set(state) {
    this.state = state;
    this.lay();
    this.draw();
  }

  count(side, point) {
    const c = this.state[side];
    return point === 0 ? (this.state.checkers ?? 15) - c.reduce((a, b) => a + b, 0) : c[point - 1];
  }

  draw() {
    const st = this.state;
    const out = []; // [its look, how to make it], bottom to top
    const may = this.mode === "play" && st.live ? new Set(st.sources ?? []) : new Set();
    for (const side of ["opp", "me"]) {
      for (let point = 25; point >= 1; point--) {
        const n = this.count(side, point);
        const shown = point === 25 ? n : Math.min(n, 5);
        for (let k = 0; k < shown; k++) {
          const [x, y] = this.seen.at(place(side, point, k, n));
          const last = k === shown - 1;
          const number = last && n > (point === 25 ? 4 : 5) ? n : 0;
          const can = last && side === "me" && may.has(point);
          out.push([
            `checker ${side} ${point} ${x} ${y} ${number} ${can}`,
            () => {
              const g = checker(side, x, y, number);
              if (can) g.classList.add("bg-can");
              g.dataset.at = `${side} ${point}`;
              return g;
            },
          ]);
        }
      }
      const off = this.count(side, 0);
      for (let k = 0; k < off; k++) {
        const [x, y] = this.seen.at(place(side, 0, k, off));
        out.push([
          `off ${side} ${x} ${y}`,
          () => s("rect", { class: `bg-slab bg-${side}`, x: x - 29, y: y - 7, width: 58, height: 14, rx: 4 }),
        ]);
      }
      const [cx, cy] = this.seen.at([TRAYX + 35, side === "me" ? BOTTOM - 12 - off * 17 - 8 : TOP + 12 + off * 17 + 8]);
      if (off > 3) {
        out.push([
          `off ${side}, ${off} ${cx} ${cy}`,
          () => s("text", { class: "bg-offcount", x: cx, y: cy }, String(off)),
        ]);
      }
    }
    out.push(...this.diceAndCube());
    if (st.last) {
      out.push([
        `last ${JSON.stringify(st.last)} ${this.laid}`,
        () => s("g", { class: "bg-last" }, ...traces(st, this.seen)),
      ]);
    }
    out.push(...this.hinted());
    this.fill(out);
    say(this.svg, (this.mode === "edit" ? _`Board editor. ` : _`Board. `) + describe(st));
    this.label();
  }

  /** fill shows the wanted elements in the layer. It leaves equal ones untouched, so the
      browser repaints only what has changed. */
  fill(wanted) {
    const there = new Map();
    const looks = new Set(wanted.map(([look]) => look));
    for (const el of [...this.layer.children]) {
      if (looks.has(el.look) && !there.has(el.look)) there.set(el.look, el);
      else el.remove();
    }
    let at = this.layer.firstChild;
    for (const [look, make] of wanted) {
      let el = there.get(look);
      if (!el) {
        el = make();
        el.look = look;
      }
      if (el === at) at = at.nextSibling;
      else this.layer.insertBefore(el, at);
    }
  }

  /** hinted are the arrows of the best play and of the player's own. */
  hinted() {
    const { me, own, arrows: best } = this.state;
    const plays = Object.entries({ own, best }).filter(([, list]) => list);
    return plays.map(([kind, list]) => [
      `arrows ${kind} ${JSON.stringify(list)} ${me} ${this.laid}`,
      () => s("g", { class: "bg-" + kind }, ...arrows(list, me, this.seen, kind)),
    ]);
  }

  diceAndCube() {
    const st = this.state;
    const out = [];
    const half = (mine) => (mine !== !!st.top ? RIGHT : LEFT) + 3 * POINT; // each player has one
    if (st.dice?.length) {
      const side = st.diceSide ?? "me";
      const x = this.seen.x(half(side === "me"));
      const list = st.dice[0] === st.dice[1] && st.used !== undefined ? [0, 0, 0, 0].map(() => st.dice[0]) : st.dice;
      list.forEach((d, i) => {
        out.push([
          `die ${side} ${x} ${i} of ${list.length} ${d} ${st.used?.[i]} ${st.live}`,
          () => {
            const g = die(side, x + (i - (list.length - 1) / 2) * 64, MID, d);
            if (st.used?.[i]) g.classList.add("used");
            if (st.live) g.classList.add("bg-live");
            return g;
          },
        ]);
      });
    }
    if (st.cube) {
      const { value, owner, offered } = st.cube;
      const y = this.seen.y(offered ? MID : owner === "me" ? BOTTOM - 34 : owner === "opp" ? TOP + 34 : MID);
      const x = this.seen.x(offered ? half(offered === "me") : 52);
      out.push([
        `cube ${value} ${x} ${y}`,
        () =>
          s(
            "g",
            { class: "bg-cube" + (value > 99 ? " long" : ""), transform: `translate(${x} ${y})` },
            s("rect", { x: -27, y: -27, width: 54, height: 54, rx: 9 }),
            s("text", {}, String(value === 1 ? 64 : value)),
          ),
      ]);
    }
    return out;
  }

  /* Hit areas: one for each point, the bar and the trays; they carry focus and words. */

  makeHits() {
    const focused = this.areas?.get(this.focus) === document.activeElement;
    this.areas = new Map();
    this.hits.replaceChildren();
    this.top.replaceChildren();
    this.picked = undefined;
    const area = (point, x, y, w, hgt) => {
      const el = s("rect", { class: "bg-hit", ...this.seen.rect(x, y, w, hgt), rx: 6, tabindex: -1, role: "button" });
      el.dataset.point = point;
      this.areas.set(point, el);
      this.hits.append(el);
    };
    for (let p = 1; p <= 24; p++) area(p, pointX(p) - POINT / 2, p <= 12 ? MID : TOP, POINT, MID - TOP);
    area(25, BARX, MID, BARW, MID - TOP);
    area(0, TRAYX, MID, 70, MID - TOP);
    if (this.mode === "edit") {
      area("bar", BARX, TOP, BARW, MID - TOP); // the opponent's bar
    }
    this.areas.get(this.focus).setAttribute("tabindex", 0);
    if (focused) this.areas.get(this.focus).focus();
  }

  label() {
    if (!this.areas) return;
    this.svg.classList.toggle("bg-live", this.mode === "edit" || !!this.state.live);
    for (const [p, el] of this.areas) {
      let text;
      if (p === "bar") text = _`Opponent's bar, ${words(this.count("opp", 25))}`;
      else if (p === 25) text = _`Bar, ${words(this.count("me", 25))} of yours`;
      else if (p === 0) text = _`Off, ${words(this.count("me", 0))} of yours`;
      else {
        const a = this.count("me", p);
        const b = this.count("opp", 25 - p);
        text = _`Point ${p}, ` + (a ? _`${words(a)} of yours` : b ? _`${words(b)} of the opponent` : _`empty`);
      }
      if (this.picked !== undefined && this.targets?.includes(p)) text += _`, legal target`;
      say(el, text);
    }
  }

  /** next is the area reached by an arrow key. */
  next(p, key) {
    if (this.seen.across) key = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" }[key] ?? key;
    if (this.seen.down) key = { ArrowUp: "ArrowDown", ArrowDown: "ArrowUp" }[key] ?? key;
    const row = (upper) =>
      upper ? [13, 14, 15, 16, 17, 18, 25, 19, 20, 21, 22, 23, 24, 0] : [12, 11, 10, 9, 8, 7, 25, 6, 5, 4, 3, 2, 1, 0];
    if (typeof p === "number" && p >= 1 && p <= 24) this.upper = p >= 13; // bar and tray belong to both rows
    if (p === "bar") this.upper = true;
    const line = row(this.upper);
    const i = Math.max(0, line.indexOf(p === "bar" ? 25 : p));
    if (key === "ArrowLeft") return line[Math.max(0, i - 1)];
    if (key === "ArrowRight") return line[Math.min(line.length - 1, i + 1)];
    this.upper = key === "ArrowUp";
    if (p === 25 && this.upper && this.areas.has("bar")) return "bar";
    return row(this.upper)[i];
  }

  focusOn(p, really = true) {
    this.areas.get(this.focus)?.setAttribute("tabindex", -1);
    this.focus = p;
    const el = this.areas.get(p);
    el.setAttribute("tabindex", 0);
    if (really) el.focus();
  }

  pick(point) {
    this.picked = point;
    this.targets = point === undefined ? [] : (this.on.targets?.(point) ?? []);
    this.top.replaceChildren(
      ...this.targets.map((p) => {
        const a = this.areas.get(p);
        const y = Number(a.getAttribute("y"));
        return s("rect", {
          class: "bg-target",
          "data-point": p,
          x: Number(a.getAttribute("x")) + 3,
          y: y < MID ? y + 3 : y + DICE,
          width: a.getAttribute("width") - 6,
          height: a.getAttribute("height") - 3 - DICE,
          rx: 8,
        });
      }),
    );
    this.label();
  }

  listen() {
    this.svg.addEventListener("keydown", (e) => this.key(e));
    this.svg.addEventListener("pointerdown", (e) => this.down(e));
    this.svg.addEventListener("contextmenu", (e) => {
      if (this.mode === "edit") e.preventDefault();
    });
  }

  key(e) {
    const p = this.areaOf(e.target);
    if (p === undefined) return;
    if (e.key.startsWith("Arrow")) {
      e.preventDefault();
      this.focusOn(this.next(p, e.key));
      return;
    }
    if (this.mode === "edit") {
      this.on.key?.(e, p);
      return;
    }
    if (!this.state.live) return;
    if (e.key === "Escape" && this.picked !== undefined) {
      e.stopPropagation();
      this.pick(undefined);
    } else if (e.key === "Enter" || e.key === " ") {
      if (this.picked === undefined && !(this.state.sources ?? []).includes(p)) return; // Enter may confirm the play
      e.preventDefault();
      e.stopPropagation();
      if (this.picked === p || this.picked === undefined) {
        const to = this.on.targets?.(p) ?? [];
        if (this.picked === p || to.length === 1) {
          this.pick(undefined);
          this.on.tap?.(p);
        } else if (to.length) this.pick(p);
      } else if (this.targets.includes(p)) {
        const from = this.picked;
        this.pick(undefined);
        this.on.move?.(from, p);
      } else this.pick(undefined);
    }
  }

  areaOf(el) {
    const p = el?.dataset?.point;
    return p === undefined ? undefined : p === "bar" ? p : Number(p);
  }

  toBoard(e) {
    const m = this.svg.getScreenCTM();
    return new DOMPoint(e.clientX, e.clientY).matrixTransform(m.inverse());
  }

  areaAt(e) {
    const { x, y } = this.toBoard(e);
    for (const [p, el] of this.areas) {
      const ax = +el.getAttribute("x");
      const ay = +el.getAttribute("y");
      if (
        x >= ax - 4 &&
        x <= ax + +el.getAttribute("width") + 4 &&
        y >= ay - 30 &&
        y <= ay + +el.getAttribute("height") + 30
      ) {
        const upper = y < MID;
        const isUpper = ay < MID - 1;
        if (upper === isUpper || p === 0 || (p === 25 && this.mode !== "edit")) return p;
      }
    }
    return undefined;
  }

  /** down begins a tap or a drag. */
  down(e) {
    if (e.target.closest(".bg-die") && this.state.live) {
      this.on.dice?.();
      return;
    }
    const p = this.areaAt(e);
    if (p === undefined) return;
    const erase = e.button === 2;
    if (e.button !== 0 && !erase) return;
    if (this.mode !== "edit" && (!this.state.live || !(this.state.sources ?? []).includes(p))) return;
    const [side, from] = this.stackAt(p);
    const at = this.toBoard(e);
    const holds = this.count(side, from) > 0;
    const id = e.pointerId;
    let lift = null;
    if (this.mode === "play") this.pick(p);
    try {
      this.svg.setPointerCapture(id);
    } catch {
      /* the pointer is gone */
    }
    const move = (ev) => {
      if (ev.pointerId !== id) return;
      const to = this.toBoard(ev);
      if (!lift && holds && Math.hypot(to.x - at.x, to.y - at.y) > 14) lift = this.lift(side, from, to);
      lift?.setAttribute("transform", `translate(${to.x} ${to.y})`);
    };
    const end = (ev) => {
      if (ev.pointerId !== id) return;
      this.svg.removeEventListener("pointermove", move);
      this.svg.removeEventListener("pointerup", end);
      this.svg.removeEventListener("pointercancel", end);
      lift?.remove();
      this.layer.querySelector(".bg-from")?.classList.remove("bg-from");
      const to = this.areaAt(ev);
      const targets = this.targets ?? [];
      if (this.mode === "play") this.pick(undefined);
      if (ev.type === "pointercancel") return;
      if (this.areas.has(p)) this.focusOn(p, false);
      if (this.mode === "edit") {
        if (lift) this.on.drop?.(side, from, to);
        else if (to === p) this.on.tap?.(p, erase);
      } else if (lift) {
        if (to !== p && targets.includes(to)) this.on.move?.(p, to);
      } else if (to === p) this.on.tap?.(p);
    };
    this.svg.addEventListener("pointermove", move);
    this.svg.addEventListener("pointerup", end);
    this.svg.addEventListener("pointercancel", end);
  }

  /** stackAt is the side whose checkers are on an area, and its number of the point: in the editor
      those of the opponent can be moved too. */
  stackAt(p) {
    if (this.mode !== "edit") return ["me", p];
    if (p === "bar") return ["opp", 25];
    const theirs = typeof p === "number" && p >= 1 && p <= 24 && this.count("opp", 25 - p) > 0;
    return theirs ? ["opp", 25 - p] : ["me", p];
  }

  /** lift takes the top checker of a stack to a place. */
  lift(side, from, { x, y }) {
    const el = checker(side, x, y, 0);
    el.classList.add("bg-lift");
    this.top.append(el);
    const stack = this.layer.querySelectorAll(`[data-at="${side} ${from}"]`);
    stack[stack.length - 1]?.classList.add("bg-from");
    return el;
  }

  /** slide moves the top checker of a stack to another point, then calls set. */
  slide(side, from, to, ms) {
    const stack = this.layer.querySelectorAll(`[data-at="${side} ${from}"]`);
    const g = stack[stack.length - 1];
    if (!g || ms <= 0) return Promise.resolve();
    const n = this.count(side, to);
    const [x1, y1] = this.seen.at(place(side, to, Math.min(n, to === 0 ? 14 : 4), n + 1));
    const [x0, y0] = g.dataset.xy.split(" ").map(Number);
    g.look = ""; // drawn elsewhere from now on
    this.layer.append(g);
    g.classList.add("bg-lift");
    const t0 = performance.now();
    return /** @type {Promise<void>} */ (
      new Promise((done) => {
        const frame = (t) => {
          const k = Math.min(1, (t - t0) / ms);
          const q = k < 0.5 ? 2 * k * k : 1 - 2 * (1 - k) * (1 - k);
          g.setAttribute(
            "transform",
            `translate(${x0 + (x1 - x0) * q} ${y0 + (y1 - y0) * q - 40 * Math.sin(Math.PI * q)})`,
          );
          if (k < 1) requestAnimationFrame(frame);
          else done();
        };
        requestAnimationFrame(frame);
      })
    );
  }
}

/** say sets the label of an element if it has changed. */
function say(el, text) {
  if (el.getAttribute("aria-label") !== text) el.setAttribute("aria-label", text);
}

function checker(side, x, y, n) {
  const g = s(
    "g",
    { class: `bg-checker bg-${side}`, transform: `translate(${x} ${y})` },
    s("circle", { class: "bg-shade", cx: 1.5, cy: 3.5, r: R }),
    s("circle", { class: "bg-disc", r: R - 1 }),
    s("circle", { class: "bg-ring", r: R - 9 }),
  );
  if (n) g.append(s("text", { class: "bg-count" }, String(n)));
  g.dataset.xy = `${x} ${y}`;
  return g;
}

/** numberOf is the number of a point as that side counts, "" for none. */
function numberOf(p, seen, by) {
  const n = by === "opp" ? 25 - p : p;
  return s(
    "text",
    {
      class: "bg-number" + (n <= 6 ? " home" : ""),
      x: seen.x(pointX(p)),
      y: seen.y(p <= 12 ? (BOTTOM + H) / 2 - 2 : TOP / 2 + 2),
    },
    by ? String(n) : "",
  );
}

const pips = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

function die(side, x, y, n) {
  const g = s(
    "g",
    { class: `bg-die bg-${side}`, transform: `translate(${x} ${y})` },
    s("rect", { class: "bg-shade", x: -25, y: -22, width: 54, height: 54, rx: 10 }),
    s("rect", { class: "bg-face", x: -27, y: -27, width: 54, height: 54, rx: 10 }),
  );
  for (const i of pips[n] ?? []) {
    g.append(s("circle", { cx: ((i % 3) - 1) * 15, cy: (Math.floor(i / 3) - 1) * 15, r: 5 }));
  }
  return g;
}

/** arrows draws steps [[from, to], ...] of the lower player, from top checkers to free places. */
function arrows(list, me, seen, kind) {
  const left = [...me];
  return list.map(([from, to]) => {
    const n = Math.max(1, left[from - 1]);
    const [x0, y0] = seen.at(place("me", from, n - 1, n));
    if (left[from - 1] > 0) left[from - 1]--;
    const [x1, y1] = seen.at(to === 0 ? [TRAYX + 35, BOTTOM - 60] : place("me", to, left[to - 1], left[to - 1] + 1));
    if (to > 0) left[to - 1]++;
    const lift = Math.abs(y0 - y1) < 150 ? (y0 > MID ? -70 : 70) : 0; // along a row: over the checkers
    return s("path", {
      class: "bg-arrow",
      d: `M${x0} ${y0}Q${(x0 + x1) / 2} ${(y0 + y1) / 2 + lift} ${x1} ${y1}`,
      "marker-end": kind === "own" ? "url(#bg-head-own)" : "url(#bg-head)",
    });
  });
}

/** traces shows the last play, { side, steps }, by lines from where its checkers came. */
function traces(st, seen) {
  const { side, steps } = st.last;
  const c = st[side];
  return steps.map(([from, to]) => {
    const n = from === 25 ? c[24] : c[from - 1];
    const m = to === 0 ? 0 : c[to - 1];
    const [x0, y0] = seen.at(place(side, from, n, n + 1));
    const [x1, y1] = seen.at(
      to === 0
        ? [TRAYX + 35, side === "me" ? BOTTOM - 60 : TOP + 60]
        : place(side, to, Math.max(0, m - 1), Math.max(1, m)),
    );
    return s(
      "g",
      {},
      s("circle", { class: "bg-trace", cx: x0, cy: y0, r: R - 6 }),
      s("path", { class: "bg-trace", d: `M${x0} ${y0}L${x1} ${y1}`, "marker-end": "url(#bg-head)" }),
    );
  });
}

/** paints adds the gradients of all boards to the page, once and outside of the boards: a
    gradient in a hidden board would not paint the others. */
function paints() {
  if ($("bg-paints")) return;
  const stops = (id, k) =>
    s(
      "radialGradient",
      { id, cx: "38%", cy: "32%", r: "75%" },
      ...[0, 55, 100].map((o, i) => s("stop", { offset: o + "%", class: `bg-stop-${k}${i}` })),
    );
  document.body.append(
    s(
      "svg",
      { id: "bg-paints", class: "hidden", "aria-hidden": "true" },
      s(
        "defs",
        {},
        stops("bg-light-fill", "l"),
        stops("bg-dark-fill", "d"),
        ...["bg-head", "bg-head-own"].map((id) =>
          s(
            "marker",
            { id, viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: "auto" },
            s("path", { class: "bg-arrowhead", d: "M0 0L10 5L0 10z" }),
          ),
        ),
      ),
    ),
  );
}

function backdrop(seen, by) {
  const rect = (x, y, w, h, props) => s("rect", { ...seen.rect(x, y, w, h), ...props });
  const g = s(
    "g",
    {},
    s("rect", { class: "bg-frame", width: W, height: H, rx: 22 }),
    s("rect", { class: "bg-rim", x: 5, y: 5, width: W - 10, height: H - 10, rx: 18 }),
    rect(LEFT, TOP, 6 * POINT, BOTTOM - TOP, { class: "bg-felt", rx: 4 }),
    rect(RIGHT, TOP, 6 * POINT, BOTTOM - TOP, { class: "bg-felt", rx: 4 }),
    rect(TRAYX, TOP, 70, MID - TOP - 40, { class: "bg-tray", rx: 8 }),
    rect(TRAYX, MID + 40, 70, MID - TOP - 40, { class: "bg-tray", rx: 8 }),
    rect(18, TOP, 68, BOTTOM - TOP, { class: "bg-tray", rx: 8 }),
    rect(BARX + BARW / 2 - 5, TOP + 70, 10, 44, { class: "bg-hinge", rx: 4 }),
    rect(BARX + BARW / 2 - 5, BOTTOM - 114, 10, 44, { class: "bg-hinge", rx: 4 }),
  );
  for (let p = 1; p <= 24; p++) {
    const x = seen.x(pointX(p));
    const up = p > 12;
    const y = seen.y(up ? TOP : BOTTOM);
    const tip = seen.y(up ? TOP + TALL : BOTTOM - TALL);
    g.append(
      numberOf(p, seen, by),
      s("path", {
        class: p % 2 ? "bg-point-a" : "bg-point-b",
        d: `M${x - POINT / 2 + 2} ${y}L${x} ${tip}L${x + POINT / 2 - 2} ${y}z`,
      }),
    );
  }
  return g;
}
