// Errors of the archive as questions.

import { _, ask, h, phrase, remember, remembered, toast } from "./site.js";
import { Board } from "./board.js";
import { Mover } from "./mover.js";
import { cubeTable, playsTable } from "./tables.js";

const $ = (id) => document.getElementById(id);
let now = null, here = null, board = null, answered = false;

async function next() {
  $("verdict").hidden = true;
  answered = false;
  try {
    const player = $("player").value.trim();
    now = await ask("GET", "/quiz" + (player ? "?player=" + encodeURIComponent(player) : ""));
  } catch (err) {
    $("status").textContent = err.message;
    $("quiz").replaceChildren(h("p", { class: "empty" }, err.message));
    return;
  }
  tally();
  const q = now.question;
  if (!q) {
    board = null;
    $("status").textContent = "";
    $("actions").replaceChildren();
    $("quiz").replaceChildren(h("p", { class: "empty" }, now.tally.questions ? _`No question is due now.` : _`No errors of 0.08 or more yet. Play or import a match; its errors become questions when it has been analysed.`));
    return;
  }
  $("quiz").replaceChildren();
  board = new Board($("quiz"), q.kind === "play" ? "play" : "view", {
    targets: (from) => [...here.ways(from).keys()],
    move: (from, to) => step(here.ways(from).get(to)),
    tap: (from) => step(here.easiest(from)),
    dice: () => {
      here?.swap();
      draw();
    },
  });
  const d = now.position;
  here = q.kind === "play" ? new Mover(now.moves, d.dice, d.board[0], d.board[1]) : null;
  draw();
}

function step(path) {
  if (!path || answered) return;
  here.step(path);
  draw();
}

function draw(arrows) {
  const d = now.position, q = now.question;
  const owner = { me: "me", opponent: "opp" }[d.owner] ?? "centre";
  const cube = q.kind === "take" ? { value: 2 * d.cube, owner, offered: "me" } : { value: d.cube, owner };
  const st = { me: here?.me ?? d.board[0], opp: here?.opp ?? d.board[1], checkers: d.checkers, cube, arrows };
  if (here) Object.assign(st, { dice: here.order, diceSide: "me", live: !answered, used: here.used(), sources: here.sources() });
  board.set(st);
  const at = d.length ? _`${d.score[0]}–${d.score[1]} of ${d.length}${d.crawford ? _`, Crawford` : ""}` : _`money`;
  if (!answered) $("status").textContent = { play: _`Play ${d.dice.join("-")}.`, double: _`Double, or roll?`, take: _`The player below doubles. Would you take?` }[q.kind] + _` (${at}, pips ${d.pips[0]} to ${d.pips[1]})`;
  const out = [];
  const add = (text, key, fn, kind = "", enabled = true) => out.push(h("button", { type: "button", class: kind, "data-key": key, disabled: !enabled, onclick: fn }, text));
  if (answered) add(_`Next`, "n", next, "primary");
  else if (q.kind === "play") {
    add(_`Done`, "Enter", () => answer(here.text), "primary", here.may);
    add(_`Undo step`, "Backspace", () => { if (here.back()) draw(); }, "", here.path.length > 0);
  } else for (const word of q.kind === "double" ? ["double", "roll"] : ["take", "drop"]) add({ double: _`Double`, roll: _`Roll`, take: _`Take`, drop: _`Pass` }[word], word === "drop" ? "p" : word[0], () => answer(word));
  $("actions").replaceChildren(...out);
}

async function answer(text) {
  if (answered) return;
  try {
    const v = await ask("POST", `/quiz/${now.question.id}/answers`, { answer: text });
    answered = true;
    now.tally.asked++;
    now.tally.right += v.right ? 1 : 0;
    now.tally.due--;
    const q = now.question;
    $("status").textContent = v.right ? _`Correct.` : _`Wrong: loses ${v.loss.toFixed(3)}.`;
    const box = $("verdict");
    box.hidden = false;
    box.replaceChildren(h("p", { class: "verdict" }, phrase(v.words || (v.best === "drop" ? "pass" : v.best))));
    if (v.plays) {
      box.append(playsTable(v.plays.moves.slice(0, 6), (m) => {
        while (here.back());
        draw(here.find(m.move));
      }));
    }
    if (v.cube) box.append(cubeTable(v.cube));
    box.append(h("p", { class: "dim" }, _`${q.player} against ${q.opponent}${q.date ? ", " + q.date : ""}, loss ${q.loss.toFixed(3)}. `, h("a", { href: "/matches/" + q.match }, _`The match`)));
    draw();
    $("actions").querySelector("button").focus();
    tally();
  } catch (err) {
    toast(err.message);
  }
}

function tally() {
  const t = now.tally;
  $("tally").textContent = _`${t.due} of ${t.questions} questions are due · ${t.asked} answered${t.asked ? _`, ${Math.round((100 * t.right) / t.asked)}% correct` : ""}`;
}

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  if (e.key === "Enter" && e.target.closest("a, button, [role=row], tr")) return;
  const b = [...$("actions").querySelectorAll("[data-key]")].find((x) => x.dataset.key.toLowerCase() === e.key.toLowerCase());
  if (b && !b.disabled) {
    e.preventDefault();
    b.click();
  }
});
let timer = 0;
$("player").value = remembered("quiz-player", "");
$("player").addEventListener("input", () => {
  remember("quiz-player", $("player").value.trim());
  clearTimeout(timer);
  timer = setTimeout(next, 350);
});
next();
