// The lobby of the page Play: the form of a new match and the unfinished ones.

import { $, _, ask, fillPresets, h, locale, phrase, remember, remembered, show } from "./site.js";
import { Board } from "./board.js";
import { gameName, levelOf, opponentName, points, rated } from "./playwords.js";
import { showDaily } from "./reward.js";
import { FOE, YOU } from "./sides.js";

/** @import { GameRequest } from "../api.d.ts" */

/** showLobby shows the form and the unfinished matches, with what went wrong before. */
export async function showLobby(problem = "") {
  $("lost").textContent = problem;
  $("lost").hidden = !problem;
  $("table").hidden = true;
  $("lobby").hidden = false;
  const list = $("games");
  try {
    const { games, damaged } = await ask("GET", "/games");
    list.replaceChildren(
      ...games.map((m) =>
        h(
          "li",
          {},
          h(
            "span",
            {},
            h("strong", {}, opponentName(m.names[FOE])),
            " ",
            m.length
              ? _`${m.score[YOU]}–${m.score[FOE]} of ${m.length}, game ${m.game}`
              : _`money, ${m.score[YOU]}–${m.score[FOE]}, game ${m.game}`,
            h("br"),
            h(
              "span",
              { class: "dim" },
              gameName(m) && gameName(m) + " · ",
              new Date(m.created).toLocaleString(locale()),
            ),
          ),
          h("a", { class: "button", href: "?m=" + m.id }, _`Continue`),
        ),
      ),
    );
    if (damaged) list.append(h("li", { class: "error" }, damaged));
  } catch (err) {
    list.replaceChildren(h("li", { class: "error" }, err.message));
  }
  $("waiting").hidden = !list.children.length;
  daily = await showDaily();
  if (daily) lookAt();
}

/** otherKinds are the opponents that are not presets, below these in the list. */
const otherKinds = [
  ["character", _`A character`],
  ["rating", _`A rating (human-like)`],
  ["two", _`Two people at this board`],
];

let preview = null;
let from = null; // the position to begin from, as the server describes it
let daily = null; // the position of the puzzle of the day

/** given is the position that the address names, with its state, or null. */
function given() {
  const q = new URLSearchParams(location.search);
  if (!q.get("position")) return null;
  const out = { position: q.get("position") };
  for (const key of ["on_roll", "owner", "variation"]) if (q.get(key)) out[key] = q.get(key);
  for (const key of ["length", "cube", "beavers"]) if (q.get(key)) out[key] = Number(q.get(key));
  for (const key of ["crawford", "jacoby"]) if (q.has(key)) out[key] = !/^(0|false)$/.test(q.get(key));
  if (q.get("score")) out.score = q.get("score").split(/[-:,]/).map(Number);
  if (q.get("dice")) out.dice = [...q.get("dice").replace(/\D/g, "")].map(Number);
  return out;
}

/** beginFrom shows the position to begin from; null is the start of a game. */
async function beginFrom(request) {
  const f = $("new").elements;
  from = null;
  let problem = null;
  if (request) {
    try {
      from = await ask("POST", "/position", request);
      if (from.finished) throw new Error(_`The game is over in this position.`);
      if (from.xgid && !request.variation) f.position.value = from.xgid;
      if (request.variation) f.variation.value = request.variation;
    } catch (err) {
      from = null;
      problem = err;
      f.position.value = request.position;
    }
    $("more").open = $("from-box").open = true;
  }
  show($("from-error"), problem, f.position);
  $("from").hidden = !from;
  if (from) {
    const sides = [
      from.length ? _`${from.score[0]}–${from.score[1]} in a match of ${points(from.length)}` : _`Money play`,
      from.crawford && _`Crawford game`,
      from.cube > 1 && _`cube at ${from.cube}`,
      from.dice.length && _`dice ${from.dice.join("-")}`,
    ].filter(Boolean);
    $("from-text").textContent = sides.join(" · ");
  }
  byKind();
  lookAt();
}

/** lookAt shows the position to begin from, the puzzle of the day, or the start of the chosen game. */
async function lookAt() {
  const p = from ?? ($("new").elements.variation.value ? null : daily);
  if (p) {
    preview ??= new Board($("preview"), "view");
    preview.set({
      me: p.board[0],
      opp: p.board[1],
      checkers: p.checkers,
      dice: p.dice,
      diceSide: "me",
      cube: { value: p.cube, owner: { me: "me", opponent: "opp" }[p.owner] ?? "centre" },
    });
    return;
  }
  const variation = $("new").elements.variation.value || "backgammon";
  try {
    const d = await ask("POST", "/position", { variation });
    preview ??= new Board($("preview"), "view");
    preview.set({ me: d.board[0], opp: d.board[1], checkers: d.checkers, cube: { value: 1, owner: "centre" } });
  } catch {
    // the board is only a preview; starting the match reports the error
  }
}

/** opponentKind is how the opponent is chosen: by a preset, a character or a rating, or two people play. */
function opponentKind() {
  const { value } = $("new").elements.preset;
  return otherKinds.some(([kind]) => kind === value) ? value : "preset";
}

function byKind() {
  const by = opponentKind();
  for (const el of $("new").querySelectorAll("[data-by]")) el.hidden = !el.dataset.by.split(" ").includes(by);
  for (const el of $("new").querySelectorAll("[data-game]")) el.hidden = !!from;
  $("new").querySelector("[data-money]").hidden = !!from || $("new").querySelector("[name=length]").value !== "0";
  const f = $("new").elements;
  $("new").querySelector("[data-clock]").hidden = !f.clock.value;
  f.raccoons.disabled = !f.beavers.checked;
}

/** setUpLobby fills the form; started receives the match that it makes. */
export async function setUpLobby(started) {
  byKind();
  const form = $("new");
  form.addEventListener("change", byKind);
  form.elements.variation.addEventListener("change", lookAt);
  lookAt();
  form.elements.name.value = remembered("name", "");
  form.elements.tutor.checked = $("opt-tutor-play").checked || $("opt-tutor-cube").checked;
  form.elements.tutor.addEventListener("change", () => {
    for (const box of [$("opt-tutor-play"), $("opt-tutor-cube")]) {
      box.checked = form.elements.tutor.checked;
      box.dispatchEvent(new Event("change"));
    }
  });
  let typing = 0;
  form.elements.position.addEventListener("input", () => {
    clearTimeout(typing);
    const text = form.elements.position.value.trim();
    const variation = form.elements.variation.value || undefined;
    typing = setTimeout(() => beginFrom(text ? { position: text, variation } : null), 350);
  });
  if (given()) beginFrom(given());
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const want = wanted(new FormData(form));
    remember("name", want.name);
    remember("opponent", form.elements.preset.value);
    if (want.character) remember("character", want.character);
    try {
      const made = await ask("POST", "/games", want);
      show($("new-error"), null);
      history.pushState({}, "", "?m=" + made.id);
      started(made);
    } catch (err) {
      show($("new-error"), err);
    }
  });
  await setUpStrengths(form);
  await setUpCharacters(form.elements.character);
}

/** wanted is the match that the form asks for.
    @param {FormData} form
    @returns {GameRequest} */
function wanted(form) {
  const f = /** @type {{ get(name: string): string }} */ (form); // which has no files
  /** @type {GameRequest} */
  const want = { length: Number(f.get("length")), name: f.get("name").trim(), no_cube: !f.get("cube") };
  if (f.get("variation")) want.variation = f.get("variation");
  if (f.get("egyptian")) want.egyptian = true;
  if (f.get("dice")) want.by_hand = true;
  if (f.get("clock")) {
    want.clock = {
      kind: f.get("clock"),
      reserve: 60 * Number(f.get("minutes")),
      delay: Number(f.get("delay")),
      loses: !!f.get("loses"),
    };
  }
  if (from) {
    delete want.length;
    Object.assign(want, { position: f.get("position").trim(), play_as: f.get("as") });
  }
  if (want.length === 0) {
    want.jacoby = !!f.get("jacoby");
    want.beavers = !f.get("beavers") ? 0 : f.get("raccoons") ? 3 : 1;
    want.auto_doubles = f.get("auto") && f.get("cube") ? 1 : 0;
  }
  return Object.assign(want, wantedOpponent(f));
}

/** wantedOpponent is the opponent that the form asks for.
    @returns {Partial<GameRequest>} */
function wantedOpponent(f) {
  const rating = Number(f.get("rating"));
  switch (opponentKind()) {
    case "preset":
      return { preset: f.get("preset") };
    case "character":
      return { rating, character: f.get("character") };
    case "two":
      return {
        two_players: true,
        opponent_name: f.get("opponent").trim() || _`opponent`,
        event: f.get("event").trim(),
      };
    default:
      return { rating, style: "human" };
  }
}

/** setUpCharacters fills the list of characters, and describes the chosen one. */
async function setUpCharacters(choice) {
  const list = await ask("GET", "/characters");
  const chosen = remembered("character", "bold");
  choice.replaceChildren(
    ...list.map((p) => h("option", { value: p.name, selected: p.name === chosen }, phrase(p.name))),
  );
  const describe = () => {
    const p = list.find((x) => x.name === choice.value);
    $("character").textContent = p ? phrase(p.summary) : "";
  };
  choice.addEventListener("change", describe);
  describe();
}

/** setUpStrengths lists the presets with their ratings in matches of the chosen length.
    Ratings are for backgammon with a cube. */
async function setUpStrengths(form) {
  const f = form.elements;
  const length = f.namedItem("length"); // f.length counts them
  const chosen = remembered("opponent", "casual");
  let presets = await fillPresets(f.preset, chosen);
  // pubeval has no rating and no cube.
  for (const [value, text] of [["pubeval", "pubeval"], ...otherKinds]) {
    f.preset.append(h("option", { value, selected: value === chosen }, text));
  }
  byKind();
  const tell = () => {
    const plain = !f.variation.value && !f.egyptian.checked && f.cube.checked;
    for (const [i, p] of presets.entries()) {
      const rating = plain && p.rating ? ` · ${p.rating}${p.beyond ? "+" : ""}` : "";
      f.preset.options[i].textContent = levelOf(p.name) + rating;
    }
    const p = presets.find((x) => x.name === f.preset.value);
    const known = p && [phrase(p.name), plain && rated(p)].filter(Boolean).join(", ");
    $("summary").textContent = p ? known : _`Tesauro's benchmark player of 1993, without a cube`;
    $("summary").title = p ? phrase(p.summary) : "";
  };
  form.addEventListener("change", tell);
  length.addEventListener("change", async () => {
    try {
      const wanted = length.value;
      const list = await ask("GET", "/presets?length=" + wanted);
      if (wanted !== length.value) return; // answers may arrive out of order
      presets = list;
      tell();
    } catch {
      // keep the old ratings; starting the match reports the error
    }
  });
  if (length.value !== "5") length.dispatchEvent(new Event("change", { bubbles: true })); // a browser may fill forms in
  tell();
}
