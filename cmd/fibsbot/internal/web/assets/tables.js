// Tables and small drawings for several pages.

import { _, fixed, h, percent, phrase, s, signed } from "./site.js";

/** shallow explains the mark of a figure whose judge searched no deeper than the player did;
    starred adds the mark. */
export const shallow = () => _`* from an analysis no deeper than the player's own search while playing`;
export const starred = (text, mark) => (mark ? h("abbr", { title: shallow() }, text, "*") : text);

/** chances draws the five chances as one bar. */
export function chances(p) {
  const [w, wg, wb, lg, lb] = p;
  const parts = [
    [wb, "#1d5c4d"],
    [wg - wb, "#2c7d68"],
    [w - wg, "#347666"],
    [1 - w - lg, "#a4604a"],
    [lg - lb, "#8d4636"],
    [lb, "#6f3327"],
  ];
  const svg = s("svg", {
    class: "chances",
    viewBox: "0 0 400 30",
    role: "img",
    "aria-label": _`Wins ${percent(w)}, gammons ${percent(wg)}, backgammons ${percent(wb)}. Loses ${percent(1 - w)}, gammons ${percent(lg)}, backgammons ${percent(lb)}.`,
  });
  let x = 0;
  for (const [v, colour] of parts) {
    svg.append(
      s("rect", { x: (400 * x).toFixed(2), width: Math.max(0, 400 * v).toFixed(2), height: 30, fill: colour }),
    );
    x += v;
  }
  svg.append(
    s("text", { x: 8, y: 20 }, percent(w)),
    s("text", { x: 392, y: 20, "text-anchor": "end" }, percent(1 - w)),
  );
  return svg;
}

/** row is the chances as gnubg prints them: win, with gammons and backgammons; lose, the same. */
const row = (p) =>
  [p[0], p[1], p[2]].map((v) => fixed(100 * v, 1)).join(" ") +
  " – " +
  [1 - p[0], p[3], p[4]].map((v) => fixed(100 * v, 1)).join(" ");

/** plusMinus is the standard error of a rollout, empty without one. */
const plusMinus = (e) => (e > 0 ? " ± " + fixed(e, 3) : "");

/** playsTable lists ranked plays; a click calls pick. With a Set chosen, each play has a box
    that adds its notation. */
export function playsTable(moves, pick, chosen) {
  const body = h("tbody");
  for (const m of moves) {
    const tr = h(
      "tr",
      { tabindex: 0, "aria-selected": "false" },
      h("td", { class: "n" }, chosen ? tick(m, chosen) : String(m.rank)),
      h(
        "td",
        { class: "move" },
        m.move || _`cannot move`,
        h("small", { title: _`win, gammon, backgammon – lose, gammon, backgammon, in percent` }, row(m.probs)),
      ),
      h(
        "td",
        { class: "n" },
        signed(m.equity),
        h(
          "small",
          {},
          (m.rank > 1 ? signed(m.diff) + " · " : "") +
            (m.trials ? _`rolled out` + plusMinus(m.equity_stderr) : _`${m.plies}-ply`),
        ),
      ),
    );
    const choose = () => {
      for (const other of body.children) other.setAttribute("aria-selected", String(other === tr));
      pick?.(m);
    };
    tr.addEventListener("click", choose);
    tr.addEventListener("keydown", (e) => {
      if (e.key === "Enter" || e.key === " ") {
        e.preventDefault();
        e.stopPropagation();
        choose();
      }
    });
    body.append(tr);
  }
  return h(
    "table",
    { class: "plays" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { class: "n" }, h("span", { class: "hidden" }, _`Rank`)),
        h("th", {}, _`Plays`),
        h("th", { class: "n" }, _`Equity`),
      ),
    ),
    body,
  );
}

/** tick is the box of a play that may be chosen. */
function tick(m, chosen) {
  const box = h("input", { type: "checkbox", checked: chosen.has(m.move), "aria-label": _`Roll out ${m.move}` });
  for (const kind of ["click", "keydown"]) box.addEventListener(kind, (e) => e.stopPropagation());
  box.addEventListener("change", () => (box.checked ? chosen.add(m.move) : chosen.delete(m.move)));
  return h("label", { class: "tick" }, box, String(m.rank));
}

/** cubeTable shows the equities of a cube decision: no double, and each answer to one. */
export function cubeTable(v) {
  const out = h("div", {}, chances(v.probs));
  if (!v.cube) {
    out.append(
      h(
        "p",
        {},
        _`Equity ${signed(v.cubeful_equity)} with the cube, ${signed(v.cubeless_equity)} without it. The cube cannot be turned.`,
      ),
    );
    return out;
  }
  const c = v.cube;
  const beaver = c.double_beaver ?? Infinity;
  const again = /redouble/i.test(c.words);
  const best = Math.max(c.no_double, Math.min(c.double_take, c.double_pass, beaver));
  const mwc = c.mwc ?? [];
  const line = (name, e, i) =>
    h(
      "tr",
      {},
      h("td", {}, name),
      h("td", { class: "n" }, signed(e)),
      c.equity_stderr
        ? h("td", { class: "n dim" }, plusMinus([c.equity_stderr[0], c.equity_stderr[1], 0, 2 * c.equity_stderr[1]][i]))
        : "",
      h("td", { class: "n dim" }, Math.abs(e - best) < 5e-7 ? "" : signed(e - best)),
      c.mwc ? h("td", { class: "n dim" }, percent(mwc[i], 2)) : "",
    );
  out.append(
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", {}, _`Cube`),
          h("th", { class: "n" }, _`Equity`),
          c.equity_stderr ? h("th", {}) : "",
          h("th", { class: "n" }, _`Difference`),
          c.mwc ? h("th", { class: "n" }, _`Match`) : "",
        ),
      ),
      h(
        "tbody",
        {},
        line(again ? _`No redouble` : _`No double`, c.no_double, 0),
        line(again ? _`Redouble, take` : _`Double, take`, c.double_take, 1),
        isFinite(beaver) ? line(again ? _`Redouble, beaver` : _`Double, beaver`, beaver, 3) : "",
        line(again ? _`Redouble, pass` : _`Double, pass`, c.double_pass, 2),
      ),
    ),
  );
  out.append(
    h(
      "p",
      { class: "dim" },
      c.trials ? _`rolled out` + " · " : "",
      _`${v.plies}-ply · cubeless ${signed(v.cubeless_equity)} · ${phrase(v.class)}`,
    ),
  );
  return out;
}
