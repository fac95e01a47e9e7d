// The page Openings: rolls, plays and replies.

import { $, _, ask, fixed, h, percent, refill, signed } from "./site.js";
import { Board } from "./board.js";
import { chances } from "./tables.js";
import { steps } from "./notation.js";

const board = new Board($("board"), "view");
const scores = () => ({ money: _`Money`, dmp: _`DMP`, "gammon-go": _`Gammon-go`, "gammon-save": _`Gammon-save` });

let score = "money"; // the opening player's
let first = ""; // roll and play that is replied to
let roll = ""; // chosen
let now = null; // the answer of the server

/* The address holds what is shown, so it can be linked to and the browser can go back. */

function read() {
  const q = new URLSearchParams(location.search);
  score = Object.hasOwn(scores(), q.get("score") ?? "") ? q.get("score") : "money";
  first = q.get("first") ?? "";
  roll = q.get("roll") ?? "";
}

function go(to, replace = false) {
  ({ score, first, roll } = { score, first, roll, ...to });
  const q = new URLSearchParams();
  if (score !== "money") q.set("score", score);
  if (first) q.set("first", first);
  if (roll) q.set("roll", roll);
  history[replace ? "replaceState" : "pushState"]({}, "", "/openings" + (q.size ? "?" + q : ""));
  load();
}

async function load() {
  const wanted = `${score} ${first}`;
  for (const b of $("score").children) b.setAttribute("aria-checked", String(b.dataset.score === score));
  try {
    if (now?.asked !== wanted) {
      const answer = await ask("GET", "/openings?" + new URLSearchParams({ score, ...(first ? { first } : {}) }));
      if (wanted !== `${score} ${first}`) return; // the user has gone on
      now = { ...answer, asked: wanted };
    }
    show();
  } catch (err) {
    now = null;
    crumbs();
    $("plays").hidden = true;
    $("rolls").replaceChildren(
      h(
        "p",
        { class: "empty" },
        err.message,
        " ",
        h("button", { type: "button", onclick: () => go({ first: "", roll: "" }) }, _`All openings`),
      ),
    );
  }
}

function show() {
  crumbs();
  const chosen = now.decisions.find((d) => d.roll === roll);
  $("rolls-title").textContent = first ? _`Replies to ${first}` : _`Opening rolls`;
  refill(
    $("rolls"),
    ...now.decisions.map((d) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(d === chosen),
          "data-roll": d.roll,
          onclick: () => go({ roll: d.roll }),
        },
        h("strong", {}, d.roll.split("").join("-")),
        h("span", {}, d.plays[0].move === "cannot move" ? _`cannot move` : d.plays[0].move),
        h("small", {}, d.plays[0].trials ? signed(d.plays[0].equity) : ""),
      ),
    ),
  );
  draw(chosen, chosen?.plays[0]);
  $("plays").hidden = !chosen;
  if (chosen) {
    refill(
      $("plays"),
      h("h2", {}, first ? _`Reply ${roll.split("").join("-")}` : _`Opening ${roll.split("").join("-")}`),
      table(chosen),
      method(chosen),
    );
  }
}

function draw(d, play) {
  const p = now.position;
  board.set({
    me: p.board[0],
    opp: p.board[1],
    checkers: p.checkers,
    dice: d ? d.roll.split("").map(Number) : [],
    diceSide: "me",
    cube: { value: 1, owner: "centre" },
    arrows: play ? steps(play.move) : undefined,
  });
  $("ids").textContent = d ? d.xgid : p.xgid;
}

/** sure reports whether a loss is at least twice its standard error. */
const sure = (p) => p.loss >= 2 * p.loss_stderr;

function table(d) {
  const body = h("tbody");
  d.plays.forEach((p, i) => {
    const loss = i ? (sure(p) ? signed(-p.loss) : `(${signed(-p.loss)})`) : "";
    const tr = h(
      "tr",
      { tabindex: 0, "aria-selected": String(i === 0) },
      h(
        "td",
        { class: "move" },
        p.move === "cannot move" ? _`cannot move` : p.move,
        h(
          "small",
          {},
          _`win ${percent(p.probs[0])} · gammon ${percent(p.probs[1])} · lose gammon ${percent(p.probs[3])}`,
        ),
      ),
      h(
        "td",
        { class: "n" },
        p.trials ? signed(p.equity) : "",
        h("small", {}, p.trials ? "± " + fixed(p.equity_stderr, 4) : ""),
      ),
      h("td", { class: "n" }, loss, h("small", {}, i ? "± " + fixed(p.loss_stderr, 4) : "")),
      h(
        "td",
        {},
        d.replies.includes(p.move)
          ? h(
              "button",
              {
                type: "button",
                class: "replies",
                "aria-label": _`Replies to ${p.move}`,
                onclick: (e) => {
                  e.stopPropagation();
                  go({ first: `${d.roll} ${p.move}`, roll: "" });
                },
              },
              _`Replies`,
            )
          : "",
      ),
    );
    const pick = () => {
      for (const other of body.children) other.setAttribute("aria-selected", String(other === tr));
      draw(d, p);
      $("plays").querySelector(".chances")?.replaceWith(chances(p.probs));
    };
    tr.addEventListener("click", pick);
    tr.addEventListener("keydown", (e) => {
      if (e.target !== tr || (e.key !== "Enter" && e.key !== " ")) return;
      e.preventDefault();
      pick();
    });
    body.append(tr);
  });
  return h(
    "div",
    {},
    d.plays[0].trials ? chances(d.plays[0].probs) : "",
    h(
      "table",
      { class: "plays" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", {}, _`Plays`),
          h("th", { class: "n" }, _`Equity`),
          h("th", { class: "n" }, _`Loss`),
          h("th", {}, h("span", { class: "hidden" }, _`Replies`)),
        ),
      ),
      body,
    ),
  );
}

function method(d) {
  const p = d.plays[0];
  const trials = d.plays.map((x) => x.trials);
  const least = Math.min(...trials);
  const most = Math.max(...trials);
  if (!p.trials) return "";
  return h(
    "p",
    { class: "dim" },
    (least === most ? _`${most} games each` : _`${least} to ${most} games each`) +
      (p.plies ? _`, ended after ${p.plies} plies` : _`, played to the end`) +
      ". ",
    h("a", { href: "/positions?p=" + encodeURIComponent(d.xgid) }, _`Open in Positions`),
  );
}

function crumbs() {
  const list = [
    h(
      "li",
      {},
      first || roll
        ? h("button", { type: "button", class: "link", onclick: () => go({ first: "", roll: "" }) }, _`Openings`)
        : _`Openings`,
    ),
  ];
  if (first) {
    const opened = first.split(" ")[0];
    list.push(
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "link", onclick: () => go({ first: "", roll: opened }) },
          opened.split("").join("-"),
        ),
      ),
    );
    list.push(
      h(
        "li",
        {},
        roll
          ? h("button", { type: "button", class: "link", onclick: () => go({ roll: "" }) }, first.slice(3))
          : first.slice(3),
      ),
    );
  }
  if (roll) list.push(h("li", {}, roll.split("").join("-")));
  refill($("crumbs"), ...list);
}

$("score").addEventListener("click", (e) => {
  const b = e.target.closest("[data-score]");
  if (b) go({ score: b.dataset.score });
});
addEventListener("popstate", () => {
  read();
  load();
});
read();
load();
