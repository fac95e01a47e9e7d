// Search for positions of matches and collections, as a panel of the page Positions.

import { _, ask, button, h, phrase, show, signed, toast, visit } from "./site.js";
import { Board } from "./board.js";
import { steps } from "./notation.js";

/** @import { FoundPosition } from "../api.d.ts" */

const points = (text) =>
  text
    .split(/[ ,;]+/)
    .filter(Boolean)
    .map(Number);

export class Search {
  /** open shows a position by its XGID. */
  constructor(open) {
    this.open = open;
    // The results have the whole width below the board and the panel.
    this.found = h("section", { id: "found", "aria-live": "polite", "aria-label": _`Positions found` });
  }

  async show(panel) {
    if (panel.querySelector("#search")) return; // what is typed stays
    this.panel = panel;
    const text = (name, label, placeholder, more = {}) =>
      h("label", {}, label, h("input", { name, placeholder, autocomplete: "off", ...more }));
    const choice = (name, label, ...options) =>
      h("label", {}, label, h("select", { name }, ...options.map(([value, words]) => h("option", { value }, words))));
    this.form = h(
      "form",
      { id: "search", class: "grid" },
      choice(
        "in",
        _`Where `,
        ["", _`errors and collections`],
        ["errors", _`errors of matches`],
        ["decisions", _`all decisions of matches`],
        ["collections", _`collections`],
      ),
      text("text", _`Name or tag `, _`any`),
      text("made", _`My points `, "4 5 20"),
      text("their_made", _`Their points `, "5 7"),
      text("back", _`My checkers back `, "2-4"),
      text("their_back", _`Theirs back `, "1-"),
      text("bar", _`Mine on the bar `, "1-"),
      text("their_bar", _`Theirs on the bar `, "1-"),
      text("lead", _`My race lead `, "-20-5"),
      choice(
        "score",
        _`Score `,
        ["", _`all`],
        ["money", _`money`],
        ["match", _`match`],
        ["dmp", _`DMP`],
        ["crawford", _`Crawford`],
        ["post-crawford", _`post-Crawford`],
      ),
      choice("cube", _`Cube `, ["", _`all`], ...[1, 2, 4, 8].map((n) => [n, String(n)])),
      choice("owner", _`Owner `, ["", _`all`], ["centre", _`centre`], ["me", _`me`], ["opponent", _`opponent`]),
      choice("kind", _`Kind `, ["", _`all`], ["checker", _`plays`], ["cube", _`cube`]),
      choice("verdict", _`Cube verdict `, ["", _`all`]),
      choice("phase", _`Phase `, ["", _`all`]),
      choice("plan", _`Plan `, ["", _`all`]),
      text("min_loss", _`Loss from `, "0.04", { type: "number", min: 0, step: 0.01 }),
      text("player", _`Player `, _`anyone`),
      h("button", { class: "primary" }, _`Search`),
      h("p", { class: "error span", id: "search-error", role: "alert", hidden: true }),
    );
    this.form.addEventListener("submit", (e) => this.search(e));
    panel.replaceChildren(this.form);
    document.querySelector(".workbench").after(this.found);
    this.words(panel.querySelector("#search-error"));
  }

  /** words fills the choices whose words the server has. */
  async words(error) {
    try {
      const s = await ask("GET", "/quiz/sources");
      for (const [name, list] of [
        ["phase", s.phases],
        ["plan", s.plans],
        ["verdict", s.verdicts],
      ]) {
        this.form.elements[name].append(...list.map((w) => h("option", { value: w }, phrase(w))));
      }
    } catch (err) {
      show(error, err);
    }
  }

  request() {
    const f = this.form.elements;
    const q = {};
    for (const name of [
      "in",
      "text",
      "back",
      "their_back",
      "bar",
      "their_bar",
      "lead",
      "score",
      "owner",
      "kind",
      "verdict",
      "phase",
      "plan",
      "player",
    ]) {
      if (f[name].value.trim()) q[name] = f[name].value.trim();
    }
    for (const name of ["made", "their_made"]) if (f[name].value.trim()) q[name] = points(f[name].value);
    if (f.cube.value) q.cube = Number(f.cube.value);
    if (f.min_loss.value) q.min_loss = Number(f.min_loss.value);
    return q;
  }

  async search(e) {
    e.preventDefault();
    const error = this.panel.querySelector("#search-error");
    const q = this.request();
    for (const name of ["made", "their_made"]) {
      if (q[name]?.some((p) => !Number.isInteger(p))) {
        show(error, new Error(_`Points are numbers from 1 to 24, as 4 5 20.`), this.form.elements[name]);
        return;
      }
      this.form.elements[name].removeAttribute("aria-invalid");
    }
    this.found.replaceChildren(h("p", { class: "empty" }, _`Searching…`));
    try {
      const r = await ask("POST", "/search", q);
      show(error, null);
      this.list(r);
      this.found.scrollIntoView();
    } catch (err) {
      this.found.replaceChildren();
      show(error, err);
    }
  }

  list(r) {
    if (!r.found.length) {
      this.found.replaceChildren(
        h("p", { class: "empty" }, _`No position matches all fields. Leave one empty to find more.`),
      );
      return;
    }
    // Boards are drawn when they come near the window.
    const near = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting } of seen) {
          if (!isIntersecting) continue;
          near.unobserve(target);
          draw(target, r.found[Number(target.getAttribute("data-n"))]);
        }
      },
      { rootMargin: "300px" },
    );
    const small = (n) => {
      const el = h("div", { class: "small-board", "data-n": n });
      near.observe(el);
      return el;
    };
    const row = (f, n) => h("li", { class: "card" }, small(n), h("div", {}, ...this.about(f)));
    this.found.replaceChildren(
      h(
        "div",
        { class: "row spread" },
        h("p", { class: "dim" }, r.more ? _`The first ${r.found.length} positions:` : _`${r.found.length} positions`),
        h("button", { type: "button", onclick: (e) => practise(r.found, e.target) }, _`Practise these positions`),
      ),
      h("ul", { class: "positions" }, ...r.found.map(row)),
    );
  }

  /** about are the texts beside a position: what it asks, and where it comes from.
      @param {FoundPosition} f */
  about(f) {
    const { dice } = f.position;
    const show = () => {
      this.open(f.xgid);
      scrollTo({ top: 0 });
    };
    const asked = f.name || (dice.length ? _`Play ${dice.join("-")}.` : _`Cube`);
    const out = [h("p", {}, button(asked, show, { class: "link" }))];
    if (f.match) {
      out.push(h("p", {}, _`${f.player}: ${phrase(f.played)}`));
      if (f.loss >= 0.0005) {
        out.push(h("p", {}, _`best ${phrase(f.best)}`, " ", h("strong", { class: "n" }, signed(-f.loss))));
      }
      if (f.verdict && f.verdict !== f.best) out.push(h("p", {}, phrase(f.verdict)));
    } else {
      out.push(h("p", { "data-data": true }, f.collection, ...f.tags.map((t) => h("span", { class: "tag" }, t))));
    }
    out.push(h("p", { class: "dim" }, [at(f.position), phrase(f.phase), phrase(f.plan)].join(", ")));
    if (f.match) out.push(h("p", {}, h("a", { href: `/matches/${f.match}#g${f.game}m${f.number}` }, _`The match`)));
    return out;
  }
}

/** at is the score of a position in words. */
function at(p) {
  if (!p.length) return _`money`;
  return _`${p.score[0]}–${p.score[1]} of ${p.length}${p.crawford ? _`, Crawford` : ""}`;
}

/** draw shows a position, with the best play of an error. */
function draw(el, { position: p, best }) {
  const board = new Board(el, "view");
  const owner = { me: "me", opponent: "opp" }[p.owner] ?? "centre";
  board.set({
    me: p.board[0],
    opp: p.board[1],
    checkers: p.checkers,
    dice: p.dice,
    diceSide: "me",
    cube: { value: p.cube, owner },
    arrows: best && p.dice.length ? steps(best) : undefined,
  });
}

/** practise puts positions into a collection of search results, in place of those before, and
    opens the quiz of it. */
async function practise(found, button) {
  const name = _`Search results`;
  const at = "/collections/" + encodeURIComponent(name);
  button.disabled = true;
  try {
    if ((await ask("GET", "/collections")).some((c) => c.name === name)) await ask("DELETE", at);
    for (const f of found) await ask("POST", at + "/positions", { position: f.xgid, name: f.name, tags: f.tags });
    visit("/quiz?source=" + encodeURIComponent("collection:" + name));
  } catch (err) {
    button.disabled = false;
    toast(err.message);
  }
}
