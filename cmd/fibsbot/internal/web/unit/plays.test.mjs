// Plays: their notation, and how they are made on the board or written down.

import "./page.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { correctable, readLine } from "../assets/byhand.js";
import { gestures, Mover } from "../assets/mover.js";
import { steps } from "../assets/notation.js";

test("steps of a play in notation", () => {
  assert.deepEqual(steps("8/5 6/5"), [
    [8, 5],
    [6, 5],
  ]);
  assert.deepEqual(
    steps("bar/22*/20"),
    [
      [25, 22],
      [22, 20],
    ],
    "a hit on the way",
  );
  assert.deepEqual(
    steps("6/off(2) 5/4"),
    [
      [6, 0],
      [6, 0],
      [5, 4],
    ],
    "two checkers",
  );
  assert.deepEqual(steps("cannot move"), []);
  assert.deepEqual(steps(""), []);
});

// 3-1 with a checker on 6 and one on 8: 6/5, 8/5 in either order, or 8/7, 7/4 with one checker,
// where an opponent is hit on 4.
const tree = [
  {
    next: [
      { die: 1, from: 6, to: 5, node: 1 },
      { die: 1, from: 8, to: 7, node: 2 },
      { die: 3, from: 8, to: 5, node: 3 },
    ],
  },
  { next: [{ die: 3, from: 8, to: 5, node: 4 }] },
  { next: [{ die: 3, from: 7, to: 4, hit: true, node: 5 }] },
  { next: [{ die: 1, from: 6, to: 5, node: 4 }] },
  { end: true, play: "8/5 6/5" },
  { end: true, play: "8/7/4*" },
];
const own = () => Object.assign(Array(25).fill(0), { 5: 1, 7: 1 });
const theirs = () => Object.assign(Array(25).fill(0), { 20: 1 }); // our 4
const begun = () => new Mover(tree, [1, 3], own(), theirs());

test("a mover offers what the tree has", () => {
  const m = begun();
  assert.deepEqual(m.order, [3, 1], "the higher die first");
  assert.deepEqual(m.sources(), [8, 6]);
  assert.deepEqual([...m.ways(8).keys()], [5, 7, 4], "both dice with one checker");
  assert.deepEqual(
    m.easiest(8).map((e) => e.to),
    [5],
  );
  m.swap();
  assert.equal(m.easiest(8)[0].to, 7, "the other die first");
  assert.ok(!m.may);
});

test("a mover moves checkers, hits and undoes", () => {
  const m = begun();
  m.step(m.ways(8).get(4));
  assert.equal(m.text, "8/7/4*");
  assert.ok(m.may && m.stuck);
  assert.deepEqual([m.me[3], m.me[7], m.opp[20], m.opp[24]], [1, 0, 0, 1], "the checker hit is on the bar");
  assert.deepEqual(m.used(), [true, true]);
  assert.ok(m.back());
  assert.deepEqual([m.me[6], m.opp[20], m.opp[24]], [1, 1, 0]);
  assert.deepEqual(m.used(), [false, true]);
  m.swap();
  assert.deepEqual(m.order, [3, 1], "the dice keep their order once one is played");
  assert.ok(m.back());
  assert.equal(m.back(), false);
  assert.deepEqual(m.me, own());
});

test("a mover restores steps as far as they exist, and finds a play", () => {
  const m = begun();
  m.restore([
    [8, 5, 3],
    [6, 5, 4],
  ]);
  assert.equal(m.text, "8/5 6/5");
  const other = begun();
  other.restore([
    [8, 5, 3],
    [13, 12, 9],
  ]);
  assert.equal(other.path.length, 1);
  assert.equal(other.find("8/4"), null);
  assert.deepEqual(other.find("8/7/4*"), [
    [8, 7],
    [7, 4],
  ]);
});

test("doublets show how many of four dice are played", () => {
  const m = new Mover([{ next: [{ die: 2, from: 6, to: 4, node: 1 }] }, { end: true }], [2, 2], own(), theirs());
  m.step(m.easiest(6));
  assert.deepEqual(m.used(), [true, false, false, false]);
});

test("a board's gestures make steps", () => {
  const m = begun();
  const made = [];
  const g = gestures(
    () => m,
    (path) => made.push(path.map((e) => e.to)),
    () => made.push("drawn"),
  );
  assert.deepEqual(g.targets(6), [5]);
  g.move(8, 4);
  g.tap(6);
  g.dice();
  assert.deepEqual(made, [[7, 4], [5], "drawn"]);
});

test("what a person writes down", () => {
  const roll = { kind: "roll", dice: [3, 1] };
  const move = { kind: "move", play: "8/5 6/5" };
  assert.deepEqual(readLine("31: 8/5 6/5"), [roll, move]);
  assert.deepEqual(readLine(" 3-1 "), [roll]);
  assert.deepEqual(readLine("8/5 6/5"), [move]);
  assert.deepEqual(readLine("31: no move"), [roll, { kind: "move", play: "" }]);
  assert.deepEqual(readLine("Pass"), [{ kind: "drop" }]);
  assert.deepEqual(readLine("redouble"), [{ kind: "double" }]);
  assert.deepEqual(readLine("resign 2"), [{ kind: "resign", level: 2 }]);
  assert.deepEqual(readLine("resigns"), [{ kind: "resign", level: 1 }]);
  for (const text of ["", "hello", "71: 8/5", "31: 8"]) assert.equal(readLine(text), null, text);
});

test("acts that can be corrected", () => {
  const can = ["move", "double", "take", "drop", "beaver", "roll", "resign"].filter((kind) => correctable({ kind }));
  assert.deepEqual(can, ["move", "double", "take", "drop", "beaver"]);
});
