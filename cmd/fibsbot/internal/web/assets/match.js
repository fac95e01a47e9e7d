// One match: its review, deeper analysis, comments, and rollouts of its decisions.

import { $, _, ask, below, fillPresets, fixed, h, phrase, positionsAt, show, texts, toast, visit } from "./site.js";
import { onView, view } from "./boardview.js";
import { film, keep, png } from "./picture.js";
import { review } from "./report.js";
import { decisionsOf, dueErrors, rollErrors, Rollouts } from "./rollouts.js";
import { copy } from "./share.js";
import { quizAt, themeLinks } from "./themes.js";

const id = $("title").dataset.id;
const button = $("analyse");
let job = null;
let unjudged = false; // the match has no analysis
let judged = ""; // who analysed it, in the words of the review
let account = ""; // whose match it is
let told = ""; // the judge that the title shows

async function title() {
  try {
    const m = await ask("GET", "/matches/" + encodeURIComponent(id));
    account = m.account;
    told = judged || _`Analysed by ${m.judge}.`;
    $("progress").textContent = m.pruned
      ? _`The file of this match was pruned: only its figures are kept.`
      : m.plies === null
        ? _`Not analysed yet.`
        : told;
    button.disabled = !!m.pruned;
    unjudged = m.plies === null && !m.pruned;
    if (!unjudged && !m.pruned) practise(m);
  } catch (err) {
    gone(err.status === 404 ? _`The archive has no match ${id.slice(0, 12)}. It may have been deleted.` : err.message);
  }
}

/** practise leads to a quiz of the account's errors: of its worst themes, and of those that the
    review lists; of the opponent's where the review lists these. */
async function practise(m) {
  try {
    const names = [m.account, m.opponent];
    const of = (player) => ({ match: id, player });
    const mine = await ask("GET", "/quiz/sources?" + new URLSearchParams(of(names[0])));
    const listed = h("a", { class: "button primary", href: quizAt(of(names[0])) }, _`Practise these errors`);
    const aim = () => {
      const q = new URLSearchParams(location.hash.replace(/^#[^&]*/, ""));
      const kind = { checker: "play", cube: "cube" }[q.get("kind")];
      const player = q.get("player") === "opponent" ? names[1] : names[0];
      const filters = {
        ...of(player),
        min_loss: q.get("size") || "0.04",
        ...(kind && { kind }),
        ...["phase", "plan"].reduce((o, n) => (q.get(n) ? { ...o, [n]: q.get(n) } : o), {}),
      };
      listed.href = below(quizAt(filters));
    };
    for (const kind of ["pointerdown", "focus", "click"]) listed.addEventListener(kind, aim);
    aim();
    $("practise").hidden = !mine.errors;
    $("practise").replaceChildren(
      listed,
      h(
        "span",
        { class: "chips", role: "group", "aria-label": _`Worst themes of ${names[0]}` },
        ...themeLinks(mine.themes.slice(0, 3), of(names[0])),
      ),
    );
  } catch {
    /* no quiz: the review works without it */
  }
}

/** gone shows one sentence and a way on instead of the match. */
function gone(text) {
  $("gone").hidden = false;
  $("gone").firstElementChild.textContent = text;
  $("report").hidden = true;
}

function follow(started) {
  job = started;
  button.textContent = _`Stop`;
  $("bar").hidden = false;
  const source = new EventSource(below(`/api/v1/jobs/${job}/events`));
  const over = () => {
    source.close();
    job = null;
    button.textContent = _`Analyse`;
    $("bar").hidden = true;
  };
  source.addEventListener("job", (e) => {
    const j = JSON.parse(e.data);
    $("progress").textContent =
      j.state === "queued"
        ? _`Waiting for another job…`
        : _`${j.done} of ${j.total} decisions, ${fixed(j.seconds, 0)} s`;
    $("bar").value = j.total ? j.done / j.total : 0;
    if (j.state === "running" || j.state === "queued") return;
    over();
    if (j.state === "failed") {
      $("progress").textContent = j.error;
      return;
    }
    title().then(() => {
      if (j.state === "stopped" && j.done) {
        $("progress").textContent =
          _`Stopped after ${j.done} of ${j.total} decisions, which are kept; Analyse continues from there.`;
      }
    });
    read();
  });
  source.onerror = () => {
    over();
    $("progress").textContent = _`fibsbot does not answer (is it still running?)`;
  };
}

// The link holds the review; where it opens is the browser edition, of this site or as --share-base names it.
const site = globalThis.fibsbotAddress ? new URL("../", location.href).href : document.documentElement.dataset.share;
$("share").hidden = !site;
$("share").addEventListener("click", async () => {
  try {
    const r = await fetch(below(`/api/v1/matches/${id}/file?to=link`));
    const text = await r.text();
    if (!r.ok) throw new Error(JSON.parse(text).error);
    await copy(site + "#" + text.trim());
  } catch (err) {
    toast(err.message);
  }
});

/** drawing is the address of the picture of the decision shown. */
const drawing = () => `/api/v1/matches/${id}/decisions/${here.key}/picture`;

$("png").addEventListener("click", async () => {
  const name = `${id.slice(0, 12)}-${here.key}.png`;
  try {
    const r = await fetch(below(drawing()));
    const text = await r.text();
    if (!r.ok) throw new Error(JSON.parse(text).error);
    keep(await png(text), name);
  } catch (err) {
    toast(err.message);
  }
});

/* The match as animated GIF, which the browser makes. */

/** @type {AbortController} */
let filming = null;
$("film").addEventListener("click", async () => {
  if (filming) {
    filming.abort();
    return;
  }
  filming = new AbortController();
  const { signal } = filming;
  const before = $("progress").textContent;
  $("film").textContent = _`Stop`;
  try {
    const { pictures } = await ask("GET", `/matches/${id}/pictures`, undefined, signal);
    const told = (done, all) => ($("progress").textContent = _`Picture ${done} of ${all}`);
    const { file, frames } = await film(pictures, { signal, told });
    const name = id.slice(0, 12) + ".gif";
    keep(file, name);
    const left = frames < pictures.length ? _`, ${frames} of ${pictures.length} decisions` : "";
    toast(_`Saved as ${name}, ${fixed(file.size / 1e6, 1)} MB` + left + ".");
  } catch (err) {
    if (err.name !== "AbortError") toast(err.message);
  }
  $("progress").textContent = before;
  $("film").textContent = _`GIF`;
  filming = null;
});

button.addEventListener("click", async () => {
  try {
    if (job) await ask("DELETE", "/jobs/" + job);
    else follow((await ask("POST", `/matches/${id}/analyse`, { preset: $("preset").value })).id);
  } catch (err) {
    toast(err.message);
  }
});

/* The review: a page of its own, shown here in a shadow tree, so that its styles and those of
   this page do not mix. It keeps the decision that it shows in the address. */

const tree = $("report").attachShadow({ mode: "open" });
// Beside the colours, which review.css has: the page has a title and a margin of its own.
const embedded =
  ".review{--bad:var(--mark-error);color:var(--ink)}.review>header>h1,.judge{display:none}slot{display:block}";
const tools = () => h("slot", { name: "match" }); // until the review has one
tree.append(tools(), h("p", { role: "status" }, _`Loading the review…`));
let decisions = new Map(); // by place: 2.14
let game = ""; // if it is not backgammon
let drops; // "position" if that says what a pass costs
let length = 0; // in points
let here = null;
let showing = null;
let again = null; // draws the board again
onView(() => again?.());

/** read shows the match as it is stored now, at the decision of the address. */
async function read() {
  judged = "";
  try {
    const [doc, text] = await Promise.all([
      ask("GET", `/matches/${id}/review?limit=1`),
      fetch(below(`/matches/${id}/report`)).then((r) => {
        if (!r.ok) throw new Error(_`The review cannot be shown (status ${r.status}).`);
        return r.text();
      }),
    ]);
    decisions = decisionsOf(doc);
    game = (doc.match.variation ?? "").toLowerCase();
    ({ length, drops } = doc.match);
    draw(text);
  } catch (err) {
    await known; // the page names a missing match once
    if (!$("gone").hidden) return;
    if (showing) {
      toast(err.message);
    } // what is shown stays
    else {
      tree.replaceChildren(
        tools(),
        h("p", { role: "alert" }, err.message + " "),
        h("button", { type: "button", onclick: read }, _`Try again`),
      );
    }
  }
}

function draw(text) {
  // The decisions are drawn when they are looked at: their part is not parsed.
  const [, before, all, after] = /^(.*<noscript id="all"[^>]*>)(.*)(<\/noscript>.*)$/s.exec(text);
  const styles = []; // inline ones, which the policy of this page forbids
  const page = new DOMParser().parseFromString(
    (before + after).replace(/<style>(.*?)<\/style>/gs, (_whole, css) => (styles.push(css), "")),
    "text/html",
  );
  page.getElementById("all").textContent = all;
  const style = new CSSStyleSheet();
  style.replaceSync(styles.join("\n") + embedded);
  tree.adoptedStyleSheets = [style];
  const box = h("div", { class: "review js" });
  for (const el of page.querySelectorAll("script")) el.remove();
  judged = [...page.querySelectorAll(".judge")].map((p) => p.textContent.replace(/\.?$/, ".")).join(" ");
  if (told && $("progress").textContent === told) $("progress").textContent = told = judged;
  const main = page.querySelector("main");
  const body = h("div", { class: "main" }, ...main.childNodes); // this page has a main part
  main.replaceWith(body);
  box.append(...page.body.childNodes);
  $("title").textContent = page.title;
  document.title = page.title + " · fibsbot";
  showing?.abort();
  showing = new AbortController();
  tree.replaceChildren(box);
  again = review(tree, { signal: showing.signal, shown, view, texts });
}

/** shown follows the review to another decision. */
function shown(at) {
  const key = `${at.game}.${at.number}`;
  const d = decisions.get(key) ?? null;
  $("decision").hidden = !d;
  const same = here && d && here.key === key;
  here = d && { ...d, key };
  if (!d) return;
  const dice = d.dice?.length ? d.dice.join("-") + ", " : "";
  const loss = d.error > 0.0005 ? _`, loses ${fixed(d.error, 3)} against ${phrase(d.best)}` : "";
  $("what").textContent = _`Game ${d.game + 1}, ${d.name}: ` + dice + phrase(d.played) + loss;
  $("look").href = below(positionsAt(d.xgid, { game, drops }));
  $("met").hidden = !length;
  $("met").href = below("/met?") + new URLSearchParams({ position: d.xgid });
  $("svg").href = below(drawing());
  $("onward").href = below("/play?") + new URLSearchParams({ position: d.xgid, ...(game && { variation: game }) });
  $("roll").disabled = d.kind === "resign";
  $("note").hidden = d.kind === "resign";
  if (same) return; // its rollouts and its comment are already shown
  $("rollouts").replaceChildren();
  live.list().catch((err) => toast(err.message));
  readNote();
}

const live = new Rollouts($("rollouts"), {
  only: (j) => here && (j.match === id ? j.decision === here.key : j.rollout.xgid === here.xgid),
  stored: read,
});

const strength = () => ({ trials: Number($("trials").value), preset: $("roll-preset").value });
fillPresets($("roll-preset"), "expert").catch((err) => toast(err.message));

rollErrors($("roll-all"), live, strength, () => dueErrors(id, account, decisions));

$("roll").addEventListener("click", async () => {
  try {
    await live.start({ match: id, decision: here.key, ...strength() });
  } catch (err) {
    toast(err.message);
  }
});

/* The user's mark and comment on the decision. The mark begins the comment in the file. */

const note = $("note");
const form = note.querySelector("form");
let stored = ""; // the comment that the form began with
let noteOf = ""; // its decision

const split = (comment) => {
  const [, mark, rest] = /^(\?\?|\?!|\?|!\?|!!|!)(?:\s+|$)(.*)$/s.exec(comment) ?? [null, "", comment];
  return { mark, text: rest };
};
const joined = () => [form.elements.mark.value, form.elements.text.value.trim()].filter(Boolean).join(" ");

async function readNote() {
  const key = here.key;
  fill("", key);
  if (here.kind === "resign") return;
  try {
    const v = await ask("GET", `/matches/${id}/decisions/${key}`);
    if (here?.key !== key || joined()) return; // another decision, or the user was faster
    fill(v.comment, key);
    form.hidden = v.later;
    $("note-none").hidden = !v.later;
  } catch (err) {
    show($("note-error"), err);
  }
}

function fill(comment, key) {
  [stored, noteOf] = [comment, key];
  const v = split(comment);
  form.elements.mark.value = v.mark;
  form.elements.text.value = v.text;
  $("note-mark").textContent = v.mark || (v.text ? "❝" : "");
  $("note-again").hidden = true;
  show($("note-error"), null);
}

form.addEventListener("submit", async (e) => {
  e.preventDefault();
  try {
    const v = await ask("PUT", `/matches/${id}/decisions/${noteOf}`, { comment: joined(), was: stored });
    fill(v.comment, noteOf);
    toast(_`The comment is saved.`);
    read();
  } catch (err) {
    show($("note-error"), err);
    $("note-again").hidden = err.status !== 409;
  }
});
$("note-again").addEventListener("click", async () => {
  try {
    fill((await ask("GET", `/matches/${id}/decisions/${noteOf}`)).comment, noteOf);
  } catch (err) {
    show($("note-error"), err);
  }
});

/* The head of the match */

const head = $("head");
const words = ["event", "round", "place", "date", "annotator", "comment"];

async function readHead() {
  try {
    const v = await ask("GET", `/matches/${id}/head`);
    const f = head.elements;
    [f.account.value, f.opponent.value] = v.players;
    for (const w of words) f[w].value = v[w];
    f.tags.value = v.tags.join(", ");
    f.other.checked = f.swap.checked = false;
    f.swap.disabled = !v.swappable;
    head.before = v;
  } catch {
    $("edit").hidden = true; // pruned or gone
  }
}
head.addEventListener("submit", async (e) => {
  e.preventDefault();
  const f = head.elements;
  const old = head.before;
  const change = {};
  for (const w of words) if (f[w].value !== old[w]) change[w] = f[w].value;
  const names = [f.account.value.trim(), f.opponent.value.trim()];
  const tags = f.tags.value
    .split(",")
    .map((t) => t.trim())
    .filter(Boolean);
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
  } catch (err) {
    show($("head-error"), err);
  }
});
$("delete").addEventListener("click", async () => {
  try {
    await ask("DELETE", "/matches/" + id);
    visit("/matches"); // which lists the deleted matches
  } catch (err) {
    show($("head-error"), err);
  }
});
readHead().then(() => {
  $("edit").open = new URLSearchParams(location.search).has("edit");
});

fillPresets($("preset"), "worldclass").catch((err) => toast(err.message));
read();

/** watch follows the analysis that began elsewhere: a match just played is analysed soon. It
    asks ever less often, and not while the page is hidden or nothing is analysed by itself. */
let waiting = 0;
let pause = 3000;
async function watch() {
  clearTimeout(waiting);
  if (!unjudged || document.hidden) return;
  let more = true;
  try {
    if (!job) {
      const mine = (await ask("GET", "/jobs")).find(
        (j) => j.match === id && (j.state === "running" || j.state === "queued"),
      );
      if (mine) follow(mine.id);
      else if (unjudged && (await ask("GET", "/matches/" + id)).plies !== null) {
        await title();
        read();
      }
    }
    const a = await ask("GET", "/analysis");
    more = !!job || a.automatic || a.left > 0 || !!a.match;
  } catch {
    /* the analysis works without it */
  }
  if (unjudged && more) waiting = setTimeout(watch, pause);
  pause = Math.min(60000, 1.5 * pause);
}
const known = title();
known.then(watch);
document.addEventListener("visibilitychange", () => {
  pause = 3000;
  watch();
});
