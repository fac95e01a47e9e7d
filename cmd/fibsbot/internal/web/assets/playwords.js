// What the page Play says about a match: its game, its state, its moves.

import { _, h, phrase, signed } from "./site.js";
import { correctable } from "./byhand.js";
import { FOE, YOU } from "./sides.js";

/** gameName is the game, "" for backgammon. */
export function gameName(m) {
  const name =
    m.variation &&
    (document.querySelector(`[name=variation] [data-name="${m.variation}"]`)?.textContent ?? m.variation);
  return [name, m.egyptian ? _`Egyptian rule` : ""].filter(Boolean).join(", ");
}

/** rated is an approximate rating in words, "" if unknown. */
export function rated(p) {
  if (!p?.rating) return "";
  return p.beyond ? _`above ${p.rating} on FIBS` : _`about ${p.rating} on FIBS`;
}

/** levelOf is how a preset plays, in words, or its name. */
export function levelOf(name) {
  const words = {
    beginner: _`plays like a beginner`,
    casual: _`plays like a casual player`,
    intermediate: _`plays like a club player`,
    advanced: _`plays like a strong club player`,
    expert: _`plays like a tournament winner`,
    worldclass: _`plays like a world champion`,
    supremo: _`plays like a world champion and looks further`,
    champion: _`plays close decisions out, briefly`,
    grandmaster: _`plays close decisions out`,
    legend: _`plays all doubtful decisions out, at length`,
  };
  return words[name] ?? name;
}

/** opponentName is the name of an opponent, which may be that of a preset or a character. */
export function opponentName(name) {
  const [, words, rating] = /^(.*?)( \d+)?$/.exec(name);
  return phrase(words) + (rating ?? "");
}

/** named is a match with the name of the opponent in the language of the page. */
export function named(g) {
  if (!g.two_players) g.names[FOE] = opponentName(g.names[FOE]);
  return g;
}

export const points = (n) => (n === 1 ? _`1 point` : _`${n} points`);
const how = { off: "", drop: _`(double passed)`, resign: _`(resigned)`, time: _`(on time)` };

/** diceShown are the dice in the order of the picture: the higher one first, or that of the
    play being made. */
export const diceShown = (g, here) => here?.order ?? [...(g.dice ?? [])].sort((a, b) => b - a);

/** statusOf is the state of the match g in a sentence; here is the play being made. */
export function statusOf(g, here) {
  if (g.two_players) return statusOfTwo(g, here);
  const mine = g.turn === YOU;
  const foe = g.names[FOE];
  const dice = diceShown(g, here).join("\u2011"); // does not break at a line's end
  if (g.result) {
    const level = ["", "", _`a gammon, `, _`a backgammon, `][g.result.level];
    const who = g.result.winner === YOU ? _`You win` : _`${foe} wins`;
    const text = `${who} ${level}${points(g.result.points)} ${how[g.result.how]}`.trim() + ".";
    return g.phase === "match_over" ? `${text} ` + _`The match is over, ${g.score[YOU]}–${g.score[FOE]}.` : text;
  }
  switch (g.phase) {
    case "dice":
      return g.opening
        ? _`Opening roll: your die, then that of ${foe}.`
        : mine
          ? _`Enter your dice.`
          : _`Enter the dice of ${foe}.`;
    case "roll":
      return mine ? (g.may_double ? _`Your turn: roll or double.` : _`Your turn: roll.`) : _`${foe} is thinking…`;
    case "move":
      if (!mine) return _`${foe} plays ${dice}…`;
      if (g.moves.length === 1) return _`You rolled ${dice} and cannot move.`;
      return here.may ? _`Confirm the play, or undo steps.` : _`Your turn: play ${dice}.`;
    case "answer": {
      if (g.offered === 8 * g.cube) {
        return mine ? _`${foe} raccoons to ${g.offered}. Take or pass?` : _`You raccooned to ${g.offered}.`;
      }
      if (g.offered === 4 * g.cube) {
        return mine ? _`${foe} beavers to ${g.offered}. Take or pass?` : _`You beavered to ${g.offered}.`;
      }
      return mine ? _`${foe} doubles to ${g.offered}. Take or pass?` : _`You doubled to ${g.offered}.`;
    }
    case "resign":
      return mine
        ? _`${foe} resigns ${["", _`a single game`, _`a gammon`, _`a backgammon`][g.resign]}. Accept?`
        : _`You offered to resign.`;
  }
  return "";
}

/** statusOfTwo is statusOf for two people. */
function statusOfTwo(g, here) {
  const who = g.names[g.turn];
  const other = g.names[1 - g.turn];
  const dice = diceShown(g, here).join("\u2011");
  if (g.result) {
    const level = ["", "", _`a gammon, `, _`a backgammon, `][g.result.level];
    const text =
      `${_`${g.names[g.result.winner]} wins`} ${level}${points(g.result.points)} ${how[g.result.how]}`.trim() + ".";
    return g.phase === "match_over" ? `${text} ` + _`The match is over, ${g.score[YOU]}–${g.score[FOE]}.` : text;
  }
  switch (g.phase) {
    case "dice":
      return g.opening
        ? _`Opening roll: the die of ${g.names[YOU]}, then that of ${g.names[FOE]}.`
        : _`Enter the dice of ${who}.`;
    case "roll":
      if (g.by_hand) return g.may_double ? _`${who}: enter the dice, or double.` : _`${who}: enter the dice.`;
      return g.may_double ? _`${who}: roll or double.` : _`${who}: roll.`;
    case "move":
      if (g.moves.length === 1) return _`${who} rolled ${dice} and cannot move.`;
      return here?.may ? _`${who}: confirm the play, or undo steps.` : _`${who}: play ${dice}.`;
    case "answer":
      return _`${other} offers the cube at ${g.offered}. ${who}: take or pass?`;
    case "resign":
      return _`${other} resigns ${["", _`a single game`, _`a gammon`, _`a backgammon`][g.resign]}. ${who}: accept?`;
  }
  return "";
}

/** tallyOf is the count of results from the position of the match. */
export function tallyOf(g) {
  const t = g.tally;
  const net = t.points[YOU] - t.points[FOE];
  const row = (side) =>
    h(
      "tr",
      {},
      h("td", {}, g.names[side]),
      h("td", { class: "n" }, String(t.won[side])),
      h("td", { class: "n" }, String(t.gammons[side])),
      h("td", { class: "n" }, String(t.points[side])),
    );
  return [
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", {}, _`Player`),
          h("th", { class: "n" }, _`Won`),
          h("th", { class: "n" }, _`Gammons`),
          h("th", { class: "n" }, _`Points`),
        ),
      ),
      h("tbody", {}, row(YOU), row(FOE)),
    ),
    h(
      "p",
      { class: "dim" },
      t.games === 1
        ? _`1 game, ${signed(net, 2)} points for you`
        : _`${t.games} games, ${signed(net / t.games, 2)} points a game for you`,
    ),
  ];
}

/** nameOf is an act of the tutor in words. */
export const nameOf = (act) =>
  ({
    roll: _`Not doubling`,
    double: _`Doubling`,
    beaver: _`Beavering`,
    raccoon: _`Raccooning`,
    take: _`Taking`,
    drop: _`Passing`,
  })[act] ?? act;

/** rowsOf lists the acts of the present game; with fix, a row can be pressed to correct it. */
export function rowsOf(g, fix) {
  const text = (a) =>
    ({
      move: a.play || _`cannot move`,
      double: _`doubles to ${a.cube}`,
      beaver: _`beavers to ${a.cube}`,
      raccoon: _`raccoons to ${a.cube}`,
      take: _`takes`,
      drop: _`passes`,
      resign: _`resigns`,
      accept: _`accepts`,
      reject: _`plays on`,
      swap: _`sides swapped`,
      flag: _`out of time`,
    })[a.kind];
  const rows = [];
  for (const a of g.acts) {
    if (a.kind === "roll" || a.kind === "start") continue;
    if (a.kind === "tie") {
      if (a.cube > 1) {
        rows.push(
          h(
            "li",
            {},
            h("i", {}),
            h("span", { class: "d" }, a.dice.join("")),
            h("span", {}, _`equal dice, cube at ${a.cube}`),
          ),
        );
      }
      continue;
    }
    const say = h(
      "span",
      {},
      h("span", { class: "hidden" }, g.names[a.side] + ": "),
      text(a),
      a.illegal && h("strong", { class: "illegal" }, " ", _`(illegal)`),
    );
    rows.push(
      h(
        "li",
        { class: a.side === YOU ? "me" : "opp" },
        h("i", { class: "chip" }),
        h("span", { class: "d" }, a.kind === "move" ? [...a.rolled].sort((x, y) => y - x).join("") : ""),
        fix && correctable(a)
          ? h("button", { type: "button", class: "link", title: _`Correct this act`, onclick: () => fix(a) }, say)
          : say,
      ),
    );
  }
  return rows;
}
