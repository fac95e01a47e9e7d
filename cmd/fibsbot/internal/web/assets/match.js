// One match: its review, deeper analysis, and rollouts of its decisions.

import { _, ask, fillPresets, phrase, show, toast } from "./site.js";
import { Rollouts } from "./rollouts.js";

const $ = (id) => document.getElementById(id);
const id = $("match").dataset.id;
const button = $("analyse");
let job = null;

async function title() {
  try {
    const m = await ask("GET", "/matches/" + encodeURIComponent(id));
    $("title").textContent = `${m.account} – ${m.opponent}, ${m.score[0]}–${m.score[1]} · ${m.length === 1 ? _`1 point` : m.length ? _`${m.length} points` : _`unlimited`}`;
    document.title = $("title").textContent + " · fibsbot";
    $("progress").textContent = m.plies < 0 ? _`Not analysed yet.` : _`Analysed by ${m.judge}.`;
  } catch (err) {
    $("progress").textContent = err.message;
    button.disabled = true;
    $("report").hidden = true;
  }
}

function follow(started) {
  job = started;
  button.textContent = _`Stop`;
  $("bar").hidden = false;
  const source = new EventSource(`/api/v1/jobs/${job}/events`);
  const over = () => {
    source.close();
    job = null;
    button.textContent = _`Analyse`;
    $("bar").hidden = true;
  };
  source.addEventListener("job", (e) => {
    const j = JSON.parse(e.data);
    $("progress").textContent = j.state === "queued" ? _`Waiting for another job…` : _`${j.done} of ${j.total} decisions, ${j.seconds.toFixed(0)} s`;
    $("bar").value = j.total ? j.done / j.total : 0;
    if (j.state === "running" || j.state === "queued") return;
    over();
    if (j.state === "failed") {
      $("progress").textContent = j.error;
      return;
    }
    title().then(() => {
      if (j.state === "stopped") $("progress").textContent = _`Stopped after ${j.done} of ${j.total} decisions, which are kept; Analyse continues from there.`;
    });
    read();
    $("report").contentWindow.location.reload();
  });
  source.onerror = () => {
    over();
    $("progress").textContent = _`fibsbot does not answer (is it still running?)`;
  };
}

button.addEventListener("click", async () => {
  try {
    if (job) await ask("DELETE", "/jobs/" + job);
    else follow((await ask("POST", `/matches/${id}/analyse`, { preset: $("preset").value })).id);
  } catch (err) {
    toast(err.message);
  }
});

/* The decision that the review shows */

let decisions = new Map(); // of the review, by XGID
let game = ""; // if it is not backgammon
let here = null;
let spot = ""; // the reader's place in the review
const place = (d) => `${d.game + 1}.${d.number}`;
const live = new Rollouts($("rollouts"), {
  only: (j) => here && (j.match === id ? j.decision === place(here) : j.rollout.xgid === here.xgid),
  stored: () => { // reload the review at the same decision
    read();
    $("report").contentWindow.location.reload();
  },
});

async function read() {
  try {
    const doc = await ask("GET", `/matches/${id}/review`);
    decisions = new Map(doc.games.flatMap((g) => g.decisions.map((d) => [d.xgid, { ...d, game: g.number, name: doc.players[d.player]?.name ?? "" }])));
    game = (doc.match.variation ?? "").toLowerCase();
    shown();
  } catch {
    decisions = new Map(); // the frame shows the error
  }
}

/** shown follows the review in the frame to another decision. */
function shown() {
  const doc = $("report").contentDocument, at = $("report").contentWindow?.location;
  // A reloaded review begins at its first blunder. Until it is back at the reader's place it
  // shows another decision.
  if (spot && at && !at.hash) return;
  spot = at?.hash || spot;
  if (/^#d\d+$/.test(spot) && doc?.getElementById("where")?.textContent.startsWith(spot.slice(2) + " ") === false) return;
  const xgid = [...(doc?.querySelectorAll("#card [title]") ?? [])].map((b) => b.title).find((t) => t.startsWith("XGID="));
  const d = decisions.get(xgid);
  $("decision").hidden = !d;
  if (!d || d === here) return;
  const same = here && place(d) === place(here);
  here = d;
  $("what").textContent = _`Game ${d.game + 1}, ${d.name}: ` + `${d.dice?.length ? d.dice.join("-") + ", " : ""}${phrase(d.played)}${d.error > 0.0005 ? _`, loses ${d.error.toFixed(3)} against ${phrase(d.best)}` : ""}`;
  $("look").href = "/positions?p=" + encodeURIComponent(d.xgid) + (game ? "&game=" + encodeURIComponent(game) : "");
  $("roll").disabled = d.kind === "resign";
  if (same) return; // its rollouts are already shown
  $("rollouts").replaceChildren();
  live.list().catch((err) => toast(err.message));
}

/** setTheme gives the review in the frame the theme of this page. */
function setTheme() {
  const root = $("report").contentDocument?.documentElement;
  if (root) root.dataset.theme = document.documentElement.dataset.theme;
}
new MutationObserver(setTheme).observe(document.documentElement, { attributeFilter: ["data-theme"] });

$("report").addEventListener("load", () => {
  setTheme();
  const card = $("report").contentDocument?.getElementById("card");
  if (!card) return;
  new MutationObserver(shown).observe(card, { childList: true });
  const frame = $("report").contentWindow;
  if (spot && !frame.location.hash) {
    frame.addEventListener("hashchange", shown, { once: true });
    frame.location.hash = spot;
  } else shown();
});

$("roll").addEventListener("click", async () => {
  const d = here;
  try {
    await live.start({ match: id, decision: place(d), trials: Number($("trials").value), preset: "expert" });
  } catch (err) {
    toast(err.message);
  }
});

/* The head of the match */

const head = $("head"), words = ["event", "round", "place", "date", "annotator", "comment"];

async function readHead() {
  try {
    const v = await ask("GET", `/matches/${id}/head`), f = head.elements;
    [f.account.value, f.opponent.value] = v.players;
    for (const w of words) f[w].value = v[w];
    f.tags.value = v.tags.join(", ");
    f.other.checked = f.swap.checked = false;
    f.swap.disabled = !v.swappable;
    head.before = v;
  } catch {
    $("edit").hidden = true; // pruned or gone; the frame shows it
  }
}
head.addEventListener("submit", async (e) => {
  e.preventDefault();
  const f = head.elements, old = head.before, change = {};
  for (const w of words) if (f[w].value !== old[w]) change[w] = f[w].value;
  const names = [f.account.value.trim(), f.opponent.value.trim()], tags = f.tags.value.split(",").map((t) => t.trim()).filter(Boolean);
  if (names.join("\n") !== old.players.join("\n")) change.players = names;
  if (tags.join() !== old.tags.join()) change.tags = tags;
  if (f.other.checked) change.account = names[1];
  if (f.swap.checked) change.swap = true;
  try {
    if (Object.keys(change).length) await ask("PATCH", "/matches/" + id, change);
    show($("head-error"), null);
    toast(_`The match is saved.`);
    await readHead();
    title();
    read();
    $("report").contentWindow.location.reload();
  } catch (err) {
    show($("head-error"), err);
  }
});
$("delete").addEventListener("click", async () => {
  try {
    await ask("DELETE", "/matches/" + id);
    location.href = "/matches"; // which lists the deleted matches
  } catch (err) {
    show($("head-error"), err);
  }
});
readHead();

fillPresets($("preset"), "worldclass").catch((err) => toast(err.message));
title();
read();
ask("GET", "/jobs").then((list) => {
  const mine = list.find((j) => j.match === id && (j.state === "running" || j.state === "queued"));
  if (mine) follow(mine.id);
}).catch(() => {}); // the analysis works without it
