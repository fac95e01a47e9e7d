// The page Play in words, and its clock.

import { rows, shown, tick } from "./page.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { face, setClock, spent } from "../assets/clock.js";
import { diceShown, gameName, points, rated, rowsOf, statusOf, tallyOf } from "../assets/playwords.js";
import { FOE, YOU } from "../assets/sides.js";

const game = (more) => ({
  names: ["gnu", "ada"],
  turn: YOU,
  score: [2, 3],
  cube: 1,
  moves: [{}, {}],
  acts: [],
  ...more,
});

test("the game, ratings and points", () => {
  assert.equal(gameName({}), "");
  assert.equal(gameName({ variation: "Nackgammon", egyptian: true }), "Nackgammon, Egyptian rule");
  assert.equal(rated({}), "");
  assert.equal(rated({ rating: 1800 }), "about 1800 on FIBS");
  assert.equal(rated({ rating: 2000, beyond: true }), "above 2000 on FIBS");
  assert.deepEqual([points(1), points(4)], ["1 point", "4 points"]);
  assert.deepEqual(diceShown({ dice: [2, 5] }), [5, 2]);
  assert.deepEqual(diceShown({ dice: [2, 5] }, { order: [2, 5] }), [2, 5]);
});

test("the state of a match against the engine", () => {
  const says = (more, here) => statusOf(game(more), here);
  assert.equal(says({ phase: "roll" }), "Your turn: roll.");
  assert.equal(says({ phase: "roll", may_double: true }), "Your turn: roll or double.");
  assert.equal(says({ phase: "roll", turn: FOE }), "gnu is thinking…");
  assert.equal(says({ phase: "move", dice: [1, 3] }, { may: false, order: [3, 1] }), "Your turn: play 3\u20111.");
  assert.equal(says({ phase: "move", dice: [1, 3] }, { may: true }), "Confirm the play, or undo steps.");
  assert.equal(says({ phase: "move", dice: [6, 6], moves: [{}] }), "You rolled 6\u20116 and cannot move.");
  assert.equal(says({ phase: "move", dice: [6, 5], turn: FOE }), "gnu plays 6\u20115…");
  assert.equal(says({ phase: "answer", offered: 2 }), "gnu doubles to 2. Take or pass?");
  assert.equal(says({ phase: "answer", offered: 4 }), "gnu beavers to 4. Take or pass?");
  assert.equal(says({ phase: "answer", offered: 8, turn: FOE }), "You raccooned to 8.");
  assert.equal(says({ phase: "resign", resign: 2 }), "gnu resigns a gammon. Accept?");
  assert.equal(says({ phase: "dice", turn: FOE }), "Enter the dice of gnu.");
});

test("the result of a game and of a match", () => {
  const won = { level: 2, winner: YOU, points: 2, how: "off" };
  assert.equal(statusOf(game({ phase: "game_over", result: won })), "You win a gammon, 2 points.");
  const dropped = { level: 1, winner: FOE, points: 1, how: "drop" };
  const over = statusOf(game({ phase: "match_over", result: dropped }));
  assert.equal(over, "gnu wins 1 point (double passed). The match is over, 3–2.");
});

test("two people are told by their names", () => {
  const says = (more, here) => statusOf(game({ two_players: true, ...more }), here);
  assert.equal(says({ phase: "roll" }), "ada: roll.");
  assert.equal(says({ phase: "roll", by_hand: true, may_double: true }), "ada: enter the dice, or double.");
  assert.equal(says({ phase: "answer", offered: 2, turn: FOE }), "ada offers the cube at 2. gnu: take or pass?");
  const result = { level: 3, winner: FOE, points: 3, how: "resign" };
  assert.equal(says({ phase: "game_over", result }), "gnu wins a backgammon, 3 points (resigned).");
});

test("the acts of a game in rows", () => {
  const acts = [
    { kind: "start", side: YOU },
    { kind: "tie", cube: 2, dice: [4, 4] },
    { kind: "move", side: YOU, rolled: [1, 3], play: "8/5 6/5" },
    { kind: "roll", side: FOE },
    { kind: "move", side: FOE, rolled: [6, 6], play: "" },
    { kind: "double", side: YOU, cube: 2 },
    { kind: "drop", side: FOE },
    { kind: "move", side: YOU, rolled: [2, 1], play: "24/20", illegal: true },
  ];
  const text = (fix) => rowsOf(game({ acts }), fix).map((li) => li.textContent);
  assert.deepEqual(text(), [
    "44equal dice, cube at 2",
    "31ada: 8/5 6/5",
    "66gnu: cannot move",
    "ada: doubles to 2",
    "gnu: passes",
    "21ada: 24/20 (illegal)",
  ]);
  const fixed = [];
  for (const li of rowsOf(game({ acts }), (a) => fixed.push(a.kind))) li.all("button")[0]?.listeners.click();
  assert.deepEqual(fixed, ["move", "move", "double", "drop", "move"]);
});

test("results from a position are counted", () => {
  const tally = { games: 4, won: [1, 3], gammons: [0, 1], points: [1, 5] };
  const [table, net] = tallyOf(game({ tally }));
  assert.deepEqual(rows(table).slice(1), ["ada | 3 | 1 | 5", "gnu | 1 | 0 | 1"]);
  assert.equal(net.textContent, "4 games, +1.00 points a game for you");
});

test("the clock runs for the side at turn, and ends a match once", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const clock = { kind: "fischer", delay: 5, left_ms: [60_000, 90_000], used_ms: 1000, loses: true };
  const state = { id: "a", version: 1, clock, turn: YOU, phase: "move" };
  let ended = 0;
  assert.equal(spent(), undefined);
  assert.equal(face(YOU), "");
  setClock(state, () => ended++);
  const [yours, theirs] = [face(YOU), face(FOE)];
  shown.push(yours, theirs);
  assert.deepEqual([yours.textContent, theirs.textContent], ["1:29", "1:00"]);
  t.mock.timers.tick(70_000);
  tick();
  assert.deepEqual([yours.textContent, theirs.textContent, spent()], ["0:19", "1:00", 70_000]);
  assert.ok(yours.classList.contains("short") && !theirs.classList.contains("short"));
  setClock(state, () => ended++); // the same state again does not start it anew
  t.mock.timers.tick(20_000);
  tick();
  tick();
  assert.equal(ended, 1);
  assert.equal(yours.textContent, "−0:01");
  setClock({ ...state, version: 2, result: {} });
  assert.equal(face(YOU).textContent, "1:30", "it stands after the end");
});

test("a Bronstein clock counts from the end of the delay", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 5_000_000 });
  const clock = { kind: "bronstein", delay: 12, left_ms: [60_000, 60_000], used_ms: 0 };
  setClock({ id: "b", version: 1, clock, turn: YOU, phase: "roll" });
  t.mock.timers.tick(10_000);
  assert.equal(face(YOU).textContent, "1:00");
  t.mock.timers.tick(4_000);
  assert.equal(face(YOU).textContent, "0:58");
});
