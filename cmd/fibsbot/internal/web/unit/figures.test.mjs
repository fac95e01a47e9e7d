// Figures: how they are written, the tables and charts that show them, and what is copied.

import { rows } from "./page.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { axisOf, bars, chart, splitRows } from "../assets/charts.js";
import { countsPanel, inBook, rollsPanel, scoresPanel } from "../assets/panels.js";
import { difference } from "../assets/rollouts.js";
import { cubeLines, forum, markdown, playLines } from "../assets/share.js";
import { _, addressOf, fixed, percent, phrase, positionsAt, signed } from "../assets/site.js";
import { chances, chancesText, cubeTable, oddsTable, playsTable, starred } from "../assets/tables.js";
import { quizAt, themeCost, themeFilter, themeLinks, themeName } from "../assets/themes.js";

test("numbers and texts", () => {
  assert.deepEqual([fixed(1.005, 1), fixed(-2), fixed(1234.5, 2)], ["1.0", "−2", "1234.50"]);
  assert.deepEqual(
    [signed(0.25), signed(-0.0004), signed(-0.0006), signed(0)],
    ["+0.250", "+0.000", "−0.001", "+0.000"],
  );
  assert.deepEqual([percent(0.5), percent(0.12345, 2)], ["50.0%", "12.35%"]);
  assert.equal(_`${2} of ${3}`, "2 of 3");
  assert.equal(phrase("drop"), "pass");
});

test("addresses of pages, with a server and without", () => {
  const path = positionsAt("XGID=x:1", { game: "", drops: "position" });
  assert.equal(path, "/positions?position=XGID%3Dx%3A1&drops=position");
  assert.equal(addressOf(path), location.origin + path);
  globalThis.fibsbotAddress = (p) => "/folder" + p;
  assert.equal(addressOf(path), location.origin + "/folder" + path);
  delete globalThis.fibsbotAddress;
});

test("chances as text and as a bar as wide as the drawing", () => {
  const probs = [0.6, 0.2, 0.01, 0.1, 0.005];
  assert.equal(chancesText(probs), "60.0 20.0 1.0 – 40.0 10.0 0.5");
  const svg = chances(probs);
  const widths = svg.all("rect").map((r) => Number(r.getAttribute("width")));
  assert.deepEqual(widths, [4, 76, 160, 120, 38, 2]);
  assert.match(svg.getAttribute("aria-label"), /^Wins 60\.0%, gammons 20\.0%.*Loses 40\.0%/);
  assert.deepEqual(rows(oddsTable(probs, ["ann", "bob"])), [
    " | Win | Gammon | Backgammon",
    "ann | 60.0% | 20.0% | 1.0%",
    "bob | 40.0% | 10.0% | 0.5%",
  ]);
});

test("ranked plays, with boxes that choose them", () => {
  const probs = [0.5, 0.1, 0, 0.1, 0];
  const moves = [
    { move: "8/5 6/5", rank: 1, equity: 0.2, diff: 0, plies: 2, probs },
    { move: "13/9", rank: 2, equity: 0.1, diff: -0.1, plies: 2, probs, trials: 36, equity_stderr: 0.01 },
    { move: "", rank: 3, equity: 0, diff: -0.2, plies: 0, probs },
  ];
  const chosen = new Set(["13/9"]);
  const picked = [];
  const table = playsTable(moves, (m) => picked.push(m.move), chosen);
  assert.deepEqual(rows(table).slice(1), [
    "1 | 8/5 6/550.0 10.0 0.0 – 50.0 10.0 0.0 | +0.2002-ply",
    "2 | 13/950.0 10.0 0.0 – 50.0 10.0 0.0 | +0.100−0.100 · rolled out ± 0.010",
    "3 | cannot move50.0 10.0 0.0 – 50.0 10.0 0.0 | +0.000−0.200 · 0-ply",
  ]);
  assert.deepEqual(rows(playsTable(moves.slice(0, 2), () => {}, undefined, "13/9")).slice(1), [
    "1 | 8/5 6/5 | +0.200",
    "2 | 13/9your play | −0.100+0.100",
  ]);
  const [, first, second] = table.all("tr");
  second.listeners.click();
  assert.deepEqual(
    [first, second].map((r) => r.getAttribute("aria-selected")),
    ["false", "true"],
  );
  const box = first.all("input")[0];
  box.checked = true;
  box.listeners.change();
  assert.deepEqual([...chosen], ["13/9", "8/5 6/5"]);
  assert.deepEqual(picked, ["13/9"]);
});

test("cube decisions: the best has no difference, a beaver a row of its own", () => {
  const v = { probs: [0.5, 0.1, 0, 0.1, 0], plies: 2, cubeless_equity: 0.1, cubeful_equity: 0.2, class: "contact" };
  const of = (cube) => rows(cubeTable({ ...v, cube })).slice(1);
  assert.deepEqual(of({ no_double: 0.7, double_take: 0.8, double_pass: 1, words: "Redouble, take" }), [
    "No redouble | +0.700 | −0.100",
    "Redouble, take | +0.800 | ",
    "Redouble, pass | +1.000 | +0.200",
  ]);
  const beaver = {
    no_double: -0.1,
    double_take: -0.25,
    double_beaver: -0.5,
    double_pass: 1,
    words: "No double, beaver",
  };
  assert.deepEqual(of({ ...beaver, equity_stderr: [0.01, 0.02] }), [
    "No double | −0.100 |  ± 0.010 | ",
    "Double, take | −0.250 |  ± 0.020 | −0.150",
    "Double, beaver | −0.500 |  ± 0.040 | −0.400",
    "Double, pass | +1.000 |  | +1.100",
  ]);
  const match = { no_double: 0, double_take: -0.1, double_pass: 1, mwc: [0.5, 0.4912, 0.6], words: "No double, take" };
  assert.equal(of(match)[1], "Double, take | −0.100 | −0.100 | 49.12%");
  const text = cubeTable({ ...v, cube: null }).textContent;
  assert.match(text, /Equity \+0\.200 with the cube, \+0\.100 without it/);
});

test("a mark explains itself", () => {
  assert.equal(starred("3.1", false), "3.1");
  assert.equal(starred("3.1", true).textContent, "3.1*");
});

test("themes of errors and their questions", () => {
  const t = { kind: "play", plan: "race", phase: "middle", questions: 1, loss: 0.5 };
  assert.equal(themeName(t), "middle, plays");
  assert.equal(themeName({ kind: "cube", phase: "opening" }), "opening, cube");
  assert.equal(themeCost(t).textContent, "1 error, −0.50");
  assert.deepEqual(themeFilter({ kind: "cube", phase: "opening" }), { kind: "cube", phase: "opening" });
  assert.equal(quizAt({ player: "a b", worst: 3 }), "/quiz?player=a+b&worst=3");
  const [link] = themeLinks([{ ...t, questions: 2 }], { player: "me" });
  assert.equal(link.getAttribute("href"), "/quiz?player=me&kind=play&phase=middle&plan=race");
  assert.equal(link.textContent, "middle, plays 2 errors, −0.50");
});

test("axes have round steps around all values", () => {
  assert.deepEqual(axisOf([3.2, 7.9], false), { low: 2, high: 8, step: 2 });
  assert.deepEqual(axisOf([0.25, 0.75], false), { low: 0.2, high: 0.8, step: 0.2 });
  assert.deepEqual(axisOf([-6e-15, 200], false), { low: 0, high: 200, step: 50 }, "rounding errors add no step");
  assert.deepEqual(axisOf([5, 5], false), { low: 5, high: 5.5, step: 0.5 });
  assert.deepEqual(axisOf([1, 2], true), { low: 1, high: 2, step: 1 }, "counts are whole");
  const around = axisOf([-3, 12], true);
  assert.ok(around.low <= -3 && around.high >= 12);
});

test("a chart draws present values and says their ends", () => {
  const line = { name: "ada", values: [8, null, 4], shallow: true };
  const card = chart("PR", [line], 1, ["May 1", ""], "nothing");
  const svg = card.all("svg")[0];
  assert.equal(svg.getAttribute("aria-label"), "PR: ada from 8.0 to 4.0 over 2 matches");
  const points = svg.all("polyline")[0].getAttribute("points");
  assert.equal(points, "46.0,14.0 448.0,180.0", "the first above at the left, the last below at the right");
  assert.equal(svg.all("circle").length, 2);
  assert.match(card.textContent, /May 1newest/);
  assert.match(card.textContent, /ada\*/);
  const one = chart("PR", [{ ...line, values: [8, null] }], 1, ["", ""], "nothing");
  assert.equal(one.textContent, "PRnothing");
});

test("bars compare the player with the opponents", () => {
  const list = [
    { name: "race", side: "account", pr: 4, decisions: 10, error_total: 0.5, shallow: 2 },
    { name: "race", side: "opponents", pr: 8, decisions: 12, error_total: 1, shallow: 0 },
    { name: "opening", side: "account", pr: null, decisions: 0, error_total: 0, shallow: 0 },
  ];
  const of = splitRows(list, "pr");
  assert.deepEqual(of[0], {
    name: "race",
    values: [4, 8],
    about: ["10 decisions, loss 0.50", "12 decisions, loss 1.00"],
    shallow: [true, false],
  });
  assert.deepEqual(of[1].values, [null, null]);
  const svg = bars("PR by phase", ["ada", "others"], of, 1, "none").all("svg")[0];
  assert.equal(svg.getAttribute("aria-label"), "PR by phase: race ada 4.0*, others 8.0; opening ada –, others –");
  assert.deepEqual(
    svg.all("rect").map((r) => r.getAttribute("width")),
    ["159.0", "318.0", "0.0", "0.0"],
  );
  assert.equal(bars("PR", ["a", "b"], [], 1, "none").textContent, "PRnone");
});

test("rollouts differ by their joint standard error", () => {
  const x = { equity: 0.1, equity_stderr: 0.003 };
  assert.equal(difference(x, { equity: 0.15, equity_stderr: 0.004 }), "+0.0500 ± 0.0050, 10.0 JSD");
  assert.equal(difference(x, { equity: 0.05, equity_stderr: null }), "−0.0500");
  assert.equal(difference(x, undefined), "");
});

test("the panels of a position", () => {
  const roll = (a, b, more) => ({
    dice: [a, b],
    best: `best ${a}${b}`,
    no_double: a / 10,
    market_loser: false,
    ...more,
  });
  const rolls = [];
  for (let a = 1; a <= 6; a++) for (let b = 1; b <= a; b++) rolls.push(roll(a, b));
  const plain = rollsPanel({ no_double: 0.35, rolls, market_losers: 0 });
  assert.equal(plain[0].textContent, "Mean +0.350");
  assert.equal(plain[1].children.length, 36);
  assert.equal(rows(plain[2]).length, 22);
  rolls[0] = roll(1, 1, { double_take: -0.2, market_loser: true });
  const beaver = rollsPanel({ no_double: 0.1, double_take: -0.3, beaver: true, rolls, market_losers: 1 });
  assert.match(beaver[0].textContent, /−0\.600 after double and beaver · market lost with 1 of 36 rolls/);
  assert.match(rows(beaver[2]).at(-1), /loses the market$/);
  assert.match(rows(beaver[2]).at(-1), /\| −0\.400 \|/);

  const cells = [
    { away: [1, 1], play: "8/5" },
    { away: [1, 2], play: "6/5" },
    { away: [2, 1], action: "double_take", words: "Double, take" },
    { away: [2, 2] },
  ];
  const scores = scoresPanel({ away: 2, cells, money: { play: "8/5" } }, true);
  assert.deepEqual(rows(scores[2]).slice(1), ["1 | = | 6/5", "2 | D/T | –"]);

  const x = { take: 0, double: 0.7, cash: 1, too_good: 1.2 };
  const windows = { dead: x, live: x, practical: x, gammon_prices: { win_gammon: 0.5, lose_gammon: 0.4 } };
  const counts = { pips: [60, 70], keith: { me: 61, opponent: 70.5, advice: "double, take" }, kleinman_chance: 0.75 };
  const panel = countsPanel({ probs: [0.5, 0, 0, 0, 0], windows, counts });
  assert.equal(rows(panel[2])[1], "dead cube | always | 70.0% | never | never");
  assert.deepEqual(rows(panel[5]).slice(1), [
    "Pips | 60 | 70 | ",
    "Keith | 61.0 | 70.5 | double, take",
    "Kleinman | 75.0% |  | ",
  ]);
});

test("a reply of the book is linked under the score of the opening player", () => {
  const plays = [1, 2, 3, 4].map((n) => ({ move: `m${n}`, equity: n / 10, equity_stderr: 0.001 }));
  const p = inBook({ first: "31 8/5 6/5", score: "gammon-go", roll: "52", plays });
  assert.equal(p.all("a")[0].getAttribute("href"), "/openings?score=gammon-save&first=31+8%2F5+6%2F5&roll=52");
  assert.match(p.textContent, /m3 \+0\.300 ± 0\.001 Openings$/);
  assert.equal(inBook({ score: "money", roll: "52", plays: plays.slice(0, 1) }), "");
});

test("a decision as people post it", () => {
  const moves = [1, 2, 3, 4, 5, 6].map((rank) => ({ rank, move: `play ${rank}`, equity: 0.1, diff: (1 - rank) / 10 }));
  const lines = playLines(moves);
  assert.deepEqual(lines.slice(0, 2), ["1. play 1 +0.100", "2. play 2 +0.100 (−0.100)"]);
  assert.equal(lines.length, 5);
  const cube = { words: "Double, pass", no_double: 0.9, double_take: 1.1, double_pass: 1 };
  assert.deepEqual(cubeLines({ cube }), ["Double, pass", "No double +0.900, double, take +1.100, double, pass +1.000"]);
  assert.deepEqual(cubeLines({ cube: null, cubeful_equity: -0.5 }), ["Equity −0.500"]);
  assert.equal(markdown("BOARD", ["1. a"], "XGID=x", "http://l"), "```\nBOARD\n```\n\n1\\. a  \n\n[XGID=x](http://l)");
  assert.equal(
    forum("BOARD", ["1. a"], "XGID=x", "http://l"),
    "[code]\nBOARD\n[/code]\n1. a\n[url=http://l]XGID=x[/url]",
  );
});
