// The reward of the page Play: how well a match was played, and a puzzle a day from the player's
// own errors. It can be turned off.

import { $, _, ask, button, fixed, h, phrase, s } from "./site.js";
import { options } from "./playoptions.js";

/** @import { HistoryForm } from "../api.d.ts" */

/** off is the button that turns the reward off, here and in the options. */
function off() {
  const turn = () => {
    $("opt-reward").click();
    $("daily").hidden = $("reward").hidden = true;
  };
  return button("×", turn, {
    class: "quiet",
    "aria-label": _`Do not show this again`,
    title: _`Do not show this again`,
  });
}

/** puzzle is the question of the day and how practice goes, null if the reward is off or there is no
    quiz. */
async function puzzle() {
  if (!options.reward()) return null;
  try {
    return await ask("GET", "/quiz?player=me");
  } catch {
    return null;
  }
}

/** puzzleLine leads to the puzzle of the day by a link of that text, if there is one, and counts the
    days in a row. */
function puzzleLine({ question, progress }, text) {
  const done = progress.today.asked > 0;
  const link = () => h("a", { class: "button", href: "/quiz?player=me" }, text);
  const streak = progress.streak > 1 ? _`${progress.streak} days in a row` : "";
  const says = [done && _`Solved for today`, streak].filter(Boolean).join(" · ");
  return h("p", { class: "row" }, question && !done ? link() : "", h("span", { class: "dim" }, says));
}

/** asked is what a question asks, and what the answer cost. */
function asked({ question: q, position: d }) {
  const asks = {
    play: _`Play ${d.dice.join("-")}.`,
    double: _`Double or roll? And after a double, take or pass?`,
    take: _`Doubled: was that right? Take or pass?`,
  }[q.kind];
  const lost = _`Against ${q.opponent} you lost ${fixed(q.loss, 3)} here.`;
  return h("p", {}, asks + " ", h("span", { class: "dim" }, lost));
}

/** showDaily shows the puzzle of the day in the lobby, or that it is solved, and returns the position
    that its board shows. */
export async function showDaily() {
  const box = $("daily");
  const now = await puzzle();
  const solved = now?.progress.today.asked > 0;
  box.hidden = !now?.question && !solved;
  if (box.hidden) return null;
  box.replaceChildren(
    h("h2", { class: "spread row" }, _`Puzzle of the day`, off()),
    solved ? "" : asked(now),
    puzzleLine(now, _`Solve it`),
  );
  return solved || now.question.kind === "take" ? null : now.position;
}

/** trend is the last PRs of a player in words and as a line that falls as the play gets better.
    @param {HistoryForm} f */
function trend(f) {
  if (f.last.length < 2) return [];
  const low = Math.min(...f.last);
  const span = Math.max(1, Math.max(...f.last) - low);
  const at = (v, i) =>
    `${(4 + (292 * i) / (f.last.length - 1)).toFixed(1)},${(36 - (32 * (v - low)) / span).toFixed(1)}`;
  const before = f.before === null ? "" : _`, before that ${fixed(f.before, 1)}`;
  const mean = [fixed(f.mean, 1), f.mean_level && phrase(f.mean_level)].filter(Boolean).join(", ");
  const text = _`Your last ${f.last.length} matches: ${mean}` + before;
  const line = s("polyline", { class: "c1", points: f.last.map(at).join(" ") });
  return [
    h("p", {}, text),
    s("svg", { viewBox: "0 0 300 40", class: "chart spark", role: "img", "aria-label": text }, line),
  ];
}

/** showReward shows how the match id of the archive was played as soon as it is analysed, while here()
    is true. */
export async function showReward(id, here) {
  const box = $("reward");
  for (let tries = 0; tries < 200 && here() && options.reward(); tries++) {
    /** @type {HistoryForm} */
    const f = await ask("GET", `/matches/${id}/form`).catch(() => null);
    if (f === null) return;
    if (f.pr === null) {
      await new Promise((done) => setTimeout(done, 1500));
      continue;
    }
    const now = await puzzle();
    if (!here() || !options.reward()) return;
    box.replaceChildren(
      h(
        "p",
        { class: "verdict" },
        [f.level && phrase(f.level), `PR ${fixed(f.pr, 1)}`].filter(Boolean).join(", "),
        off(),
      ),
      h("p", { class: "dim" }, _`PR is what you lose per decision; lower is better.`),
      ...trend(f),
      now?.question ? puzzleLine(now, _`Puzzle of the day`) : "",
    );
    box.hidden = false;
    return;
  }
}
