// The archive: filters, sorting, import, and what is done with chosen matches.

import { filesOf, takeIn } from "./intake.js";
import {
  $,
  _,
  addressOf,
  ask,
  below,
  button,
  fillPresets,
  filled,
  fixed,
  h,
  locale,
  phrase,
  refill,
  remember,
  remembered,
  show,
  signed,
  toast,
} from "./site.js";
import { decisionsOf, dueErrors, rollErrors, Rollouts } from "./rollouts.js";
import { inOrder, shallow, sortHead, starred, td, tr } from "./tables.js";

/** @import { IndexMatch } from "../api.d.ts" */

const form = $("filter");
const page = 100;
let rows = [];
let limit = page;
let asking = null;
const chosen = new Set(); // IDs of matches
let [by, down] = remembered("sort", "started 1")
  .split(" ")
  .map((x, i) => (i ? x === "1" : x));

const luck = (m) => (m.luck[0] === null || m.luck[1] === null ? null : m.luck[0] - m.luck[1]);
const shown = (m, i) => (m.pr[i] === null ? "–" : starred(fixed(m.pr[i], 1), m.shallow[i]));

/** account is the account of a match, and a button that files it under the other player. */
function account(m) {
  if (m.pruned) return m.account;
  const title = _`File under ${m.opponent}`;
  return [m.account, button("⇄", () => refile(m), { class: "quiet", title, "aria-label": title })];
}

/** opponent links to the review of a match. */
function opponent(m) {
  const label = _`Review ${m.account} against ${m.opponent}`;
  return [h("a", { href: "/matches/" + m.id, "aria-label": label }, m.opponent), tags(m)];
}

function result(m) {
  const word = { 1: _`won`, [-1]: _`lost` }[m.result] ?? _`open`;
  const kind = m.result > 0 ? "win" : m.result < 0 ? "lose" : "dim";
  return h("span", { class: kind }, `${word} ${m.score[0]}–${m.score[1]}`);
}

/** Column has the heading of a column, what it is sorted by, the content of its cells and their class.
    @typedef {object} Column
    @property {string} key
    @property {string} name
    @property {(m: IndexMatch) => any} value
    @property {(m: IndexMatch) => any} cell
    @property {string} [kind] */

/** @type {Column[]} */
const columns = [
  { key: "started", name: _`Played`, value: (m) => m.started, cell: (m) => day(m.started) },
  { key: "account", name: _`Account`, value: (m) => m.account.toLowerCase(), cell: account, kind: "name spare" },
  { key: "opponent", name: _`Opponent`, value: (m) => m.opponent.toLowerCase(), cell: opponent, kind: "name" },
  {
    key: "length",
    name: _`Length`,
    value: (m) => m.length,
    cell: (m) => (m.length ? String(m.length) : _`unlimited`),
    kind: "n spare",
  },
  { key: "result", name: _`Result`, value: (m) => m.result, cell: result },
  {
    key: "preset",
    name: _`Preset`,
    value: (m) => m.preset ?? "",
    cell: (m) => (m.preset ? phrase(m.preset) : "–"),
    kind: "spare rare",
  },
  { key: "pr", name: _`PR`, value: (m) => m.pr[0], cell: (m) => shown(m, 0), kind: "n" },
  { key: "theirs", name: _`Their PR`, value: (m) => m.pr[1], cell: (m) => shown(m, 1), kind: "n spare" },
  {
    key: "luck",
    name: _`Luck`,
    value: luck,
    cell: (m) => (luck(m) === null ? "–" : signed(luck(m), 2)),
    kind: "n spare",
  },
];

/** tags are buttons that list the matches of the same event, or with the same tag. */
function tags(m) {
  const tag = (field, text, title) => {
    const list = () => {
      form.elements[field].value = text;
      load();
    };
    return button(text, list, { class: field, title });
  };
  const all = [];
  if (m.event) all.push(tag("event", m.event, _`Event`));
  for (const t of m.tags ?? []) all.push(tag("tag", t, _`Tag`));
  return all.length ? h("span", { class: "tags" }, ...all) : "";
}

function day(text) {
  const t = new Date(text);
  if (Number.isNaN(t.getTime()) || t.getFullYear() < 1900) return "–";
  return t.toLocaleDateString(locale(), { year: "numeric", month: "short", day: "numeric" });
}

/** draw shows the rows; more are on the server. */
function draw(more) {
  refill($("list").tHead, listHead(more));
  const cells = (m) => columns.map((c) => td(c.cell(m), c.kind));
  const body = sorted().map((m) => tr(td(pick(m), "pick"), ...cells(m)));
  refill($("list").tBodies[0], ...body);
  if (!rows.length) {
    const text = _`No matches found. Play one, or import a match file.`;
    $("list").tBodies[0].append(tr(h("td", { class: "empty", colspan: columns.length + 1 }, text)));
  }
  $("count").textContent = counted(more);
  if (rows.some((m) => m.shallow.some(Boolean))) $("count").append(" · " + shallow());
  $("more").hidden = !more;
  drawChosen();
}

/** listHead is the row of headings: a box that chooses all matches, and buttons that sort. */
function listHead(more) {
  const choose = () => {
    for (const m of rows) {
      if (all.checked) chosen.add(m.id);
      else chosen.delete(m.id);
    }
    draw(more);
  };
  const all = h("input", { type: "checkbox", "aria-label": _`Choose all`, onchange: choose });
  all.checked = rows.length > 0 && rows.every((m) => chosen.has(m.id));
  return tr(h("th", { class: "pick" }, all), ...columns.map((c) => sortHead(c, by, down, sortBy)));
}

/** sorted are the rows in their order. */
const sorted = () => inOrder(rows, (columns.find((c) => c.key === by) ?? columns[0]).value, down);

/** counted is how many matches are shown, in words. */
function counted(more) {
  if (!rows.length) return "";
  if (more) return _`${rows.length} newest matches`;
  return rows.length === 1 ? _`1 match` : _`${rows.length} matches`;
}

/** pick is the box that chooses a match. */
function pick(m) {
  const box = h("input", {
    type: "checkbox",
    "aria-label": _`Choose ${m.account} against ${m.opponent}`,
    onchange: () => {
      if (box.checked) chosen.add(m.id);
      else chosen.delete(m.id);
      drawChosen();
    },
  });
  box.checked = chosen.has(m.id);
  return box;
}

/* Chosen matches */

function drawChosen() {
  const ids = new Set(rows.map((m) => m.id));
  for (const id of chosen) if (!ids.has(id)) chosen.delete(id); // no longer listed
  $("chosen").hidden = !chosen.size;
  $("chosen-count").textContent = chosen.size === 1 ? _`1 match chosen` : _`${chosen.size} matches chosen`;
  $("chosen-edit").hidden = chosen.size !== 1;
  $("chosen-join").hidden = chosen.size !== 2;
  $("chosen-sum").href = below("/statistics?" + new URLSearchParams([...chosen].map((id) => ["id", id])));
  $("chosen-edit").href = below(`/matches/${[...chosen][0]}?edit`);
}

/* On phones the rarer things are folded. */
const roomy = matchMedia("(min-width: 50rem)");
const fold = () => {
  /** @type {HTMLDetailsElement} */ ($("chosen-more")).open = roomy.matches;
};
roomy.addEventListener("change", fold);
fold();

/** each does something to every chosen match and reports how many it was done to. */
async function each(act, done) {
  const list = rows.filter((m) => chosen.has(m.id));
  const wrong = [];
  let n = 0;
  for (const m of list) {
    try {
      await act(m);
      n++;
    } catch (err) {
      wrong.push(`${m.account} – ${m.opponent}: ${err.message}`);
    }
  }
  toast([n ? done(n) : "", ...wrong.slice(0, 3)].filter(Boolean).join(" · "));
  load();
  trash();
}
$("chosen-delete").addEventListener("click", () =>
  each(
    async (m) => {
      await ask("DELETE", "/matches/" + m.id);
      chosen.delete(m.id);
    },
    (n) =>
      n === 1 ? _`1 match deleted; it can be restored below.` : _`${n} matches deleted; they can be restored below.`,
  ),
);
$("chosen-swap").addEventListener("click", () =>
  each(
    (m) => ask("PATCH", "/matches/" + m.id, { swap: true }),
    (n) => (n === 1 ? _`Players of 1 match swapped.` : _`Players of ${n} matches swapped.`),
  ),
);
$("chosen-join").addEventListener("click", async () => {
  const [a, b] = [...chosen];
  try {
    await ask("POST", `/matches/${a}/merge`, { with: b });
    chosen.clear();
    toast(_`Joined; Restore below separates them.`);
  } catch (err) {
    toast(err.message);
  }
  load();
  trash();
});
$("chosen-tag").addEventListener("submit", (e) => {
  e.preventDefault();
  const tag = e.target.elements.tag.value.trim();
  if (!tag) return;
  each(
    (m) => ask("PATCH", "/matches/" + m.id, { tags: [...new Set([...(m.tags ?? []), tag])] }),
    (n) => (n === 1 ? _`1 match tagged.` : _`${n} matches tagged.`),
  );
});

/* My errors in the chosen matches, rolled out */
const [rollAll, trials, strength] = $("chosen-roll").querySelectorAll("button, select");
fillPresets(strength, "expert").catch((err) => toast(err.message));
rollErrors(
  rollAll,
  new Rollouts(h("div"), { only: () => false }),
  () => ({ trials: Number(trials.value), preset: strength.value }),
  async () => {
    const due = [];
    for (const m of rows.filter((x) => chosen.has(x.id) && x.plies !== null && !x.pruned)) {
      const doc = await ask("GET", `/matches/${m.id}/review?limit=1`);
      due.push(...dueErrors(m.id, m.account, decisionsOf(doc)));
    }
    return due;
  },
);

function sortBy(key) {
  down = key === by ? !down : ["started", "luck", "result", "length"].includes(key);
  by = key;
  remember("sort", `${by} ${down ? 1 : 0}`);
  draw(!$("more").hidden);
}

/** filter is what the form asks for. */
const filter = () => filled(form);

/** fill puts a filter into the form. */
function fill(q) {
  for (const el of form.elements) if (el.name) el.value = q.get(el.name) ?? "";
}

async function load() {
  asking?.abort();
  asking = new AbortController();
  const q = filter();
  history.replaceState(history.state, "", below("/matches") + (q.size ? "?" + q : "")); // a filter has an address
  drawSaved();
  q.set("limit", String(limit));
  for (const el of form.elements) el.removeAttribute("aria-invalid");
  try {
    const v = await ask("GET", "/matches?" + q, undefined, asking.signal);
    show($("filter-error"), null);
    rows = v.matches;
    draw(v.more);
  } catch (err) {
    if (err.name !== "AbortError") {
      show($("filter-error"), err, err.field ? form.querySelector(`[name="${CSS.escape(err.field)}"]`) : null);
    }
  }
}

/* Saved filters, kept in this browser */

const kept = () => {
  try {
    const list = JSON.parse(remembered("filters", "[]"));
    return Array.isArray(list) ? list.filter((f) => typeof f?.name === "string" && typeof f?.query === "string") : [];
  } catch {
    return []; // damaged
  }
};
function keep(list) {
  remember("filters", JSON.stringify(list.slice(-30)));
  drawSaved();
}

/** drawSaved lists the saved filters, and offers to save the present one. */
function drawSaved() {
  const now = filter().toString();
  const list = kept();
  if ($("saved").contains(document.activeElement) && document.activeElement.tagName === "INPUT") return; // being named
  const parts = list.map((f) => savedFilter(f, f.query === now));
  if (now && !list.some((f) => f.query === now)) parts.push(...saveFilter());
  if (now) parts.push(button(_`Show all`, () => restart(new URLSearchParams())));
  refill($("saved"), ...parts);
}

/** restart lists the matches of a filter. */
function restart(q) {
  fill(q);
  limit = page;
  load();
}

/** savedFilter has the buttons of a saved filter. */
function savedFilter(f, on) {
  const choose = () => restart(new URLSearchParams(f.query));
  const forget = () => keep(kept().filter((x) => x.name !== f.name));
  const title = _`Forget the filter ${f.name}`;
  return h(
    "span",
    { class: "row" },
    button(f.name, choose, { class: "button", "aria-pressed": String(on) }),
    button("×", forget, { "aria-label": title, title }),
  );
}

/** saveFilter are the field and the button that save the present filter. */
function saveFilter() {
  const name = h("input", { "aria-label": _`Name of the filter`, placeholder: _`name of this filter`, maxlength: 40 });
  const save = () => {
    if (!name.value.trim()) return name.focus();
    const title = name.value.trim();
    name.blur();
    keep([...kept().filter((f) => f.name !== title), { name: title, query: filter().toString() }]);
  };
  name.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    save();
  });
  return [name, button(_`Save this filter`, save)];
}

let timer = 0;
form.addEventListener("input", (e) => {
  if (e.target.closest("#saved")) return; // the name of a filter
  clearTimeout(timer);
  limit = page;
  timer = setTimeout(load, 200);
});
form.addEventListener("submit", (e) => e.preventDefault());
$("more").addEventListener("click", () => {
  limit = Math.min(1000, limit * 3);
  load();
});
/** refile makes the other player of a match its account. */
async function refile(m) {
  try {
    await ask("PATCH", "/matches/" + m.id, { account: m.opponent });
    load();
  } catch (err) {
    toast(err.message);
  }
}

/* Analysis in the background */

let watching = 0;
let pause = 10000;
let had = 0;
let stored; // stored: matches in the archive, which other processes change too

async function analysis(method = "GET") {
  clearTimeout(watching);
  try {
    const v = await ask(method, "/analysis", method === "POST" ? {} : undefined);
    const left = v.left + (v.match ? 1 : 0);
    const job = v.job && v.match ? await ask("GET", "/jobs/" + v.job).catch(() => null) : null;
    $("analysing").textContent = left
      ? (left === 1 ? _`Analysing 1 match` : _`Analysing ${left} matches`) +
        (job?.total ? _`, ${job.done} of ${job.total} decisions` : "") +
        "…"
      : v.failed
        ? _`${v.failed} matches could not be analysed.`
        : method === "POST"
          ? _`All matches are analysed.`
          : "";
    $("stop").hidden = !left;
    $("all").hidden = left > 0;
    if (left < had || (stored ?? v.matches) !== v.matches) load();
    stored = v.matches;
    had = left;
    pause = left ? 10000 : Math.min(60000, 1.5 * pause);
    if (!document.hidden) watching = setTimeout(analysis, left ? 1500 : pause);
  } catch (err) {
    $("analysing").textContent = err.message;
  }
}
$("all").addEventListener("click", () => analysis("POST"));
$("stop").addEventListener("click", () => analysis("DELETE"));
analysis();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) analysis();
});

/* The trash */

async function trash() {
  const list = await ask("GET", "/trash").catch(() => []);
  $("trash").hidden = !list.length;
  refill(
    $("deleted"),
    ...list.map((x) =>
      h(
        "li",
        {},
        `${day(x.started)}, ${x.account} – ${x.opponent} `,
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            onclick: async () => {
              try {
                await ask("POST", `/trash/${x.id}/undelete`, {});
                load();
                trash();
              } catch (err) {
                toast(err.message);
              }
            },
          },
          _`Restore`,
        ),
      ),
    ),
  );
}
trash();

/* My names, one per line */

const names = $("names");

async function drawNames() {
  try {
    const me = await ask("GET", "/me");
    names.elements.names.value = me.names.join("\n");
    $("configured").textContent = me.configured.length ? _`Also, from bot.yaml: ${me.configured.join(", ")}` : "";
    $("who").textContent = [...me.configured, ...me.names].join(", ") || _`not set`;
  } catch (err) {
    show($("names-error"), err);
  }
}
names.addEventListener("submit", async (e) => {
  e.preventDefault();
  try {
    await ask("PUT", "/me", {
      names: names.elements.names.value
        .split("\n")
        .map((x) => x.trim())
        .filter(Boolean),
    });
    show($("names-error"), null, names.elements.names);
    toast(_`Your names are saved.`);
    drawNames();
  } catch (err) {
    show($("names-error"), err, names.elements.names);
  }
});
drawNames();

/** introduce asks which player of imported matches the user is, while that is not known. Those
    matches are then filed under the user. */
async function introduce(guessed) {
  if (!guessed.length || $("who").textContent !== _`not set`) return;
  const list = await Promise.all(guessed.slice(0, 50).map((id) => ask("GET", "/matches/" + id).catch(() => null)));
  const times = new Map();
  for (const m of list) {
    for (const name of m ? [m.account, m.opponent] : []) times.set(name, (times.get(name) ?? 0) + 1);
  }
  const often = [...times]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([name]) => name);
  const am = async (name) => {
    try {
      await ask("PUT", "/me", { names: [name] });
      for (const m of list) if (m?.opponent === name) await ask("PATCH", "/matches/" + m.id, { account: name });
      $("mine").hidden = true;
      toast(_`Statistics and the quiz show matches of ${name}.`);
      drawNames();
      load();
    } catch (err) {
      toast(err.message);
    }
  };
  $("mine").hidden = !often.length;
  $("mine").replaceChildren(
    _`Who are you?`,
    ...often.map((name) => h("button", { type: "button", onclick: () => am(name) }, name)),
  );
}

/* Two names of one opponent */

async function players() {
  const list = await ask("GET", "/names").catch(() => []);
  $("players").replaceChildren(...list.map((x) => h("option", { value: x.name })));
}
$("merge").addEventListener("toggle", players);
$("rename").addEventListener("submit", async (e) => {
  e.preventDefault();
  const f = e.target.elements;
  try {
    const v = await ask("POST", "/names/rename", { from: f.from.value, to: f.to.value });
    show($("rename-error"), null);
    toast(v.changed === 1 ? _`1 match changed.` : _`${v.changed} matches changed.`);
    e.target.reset();
    players();
    load();
  } catch (err) {
    show($("rename-error"), err);
    load(); // some may have been changed
  }
});

/* Import: chosen files and folders, or dropped ones */

let busy = Promise.resolve();
function take(files) {
  if (!files.length) return;
  // One import after another: a second drop waits.
  busy = busy
    .then(() =>
      takeIn(files, {
        box: $("imports"),
        rows: $("imported"),
        bar: $("import-bar"),
        status: $("importing"),
        changed: load,
      }),
    )
    .then((guessed) => {
      analysis();
      load();
      introduce(guessed);
    });
}
for (const id of ["file", "folder"]) {
  $(id).addEventListener("change", (e) => {
    take([...e.target.files]);
    e.target.value = "";
  });
}
$("imports-close").addEventListener("click", () => {
  $("imports").hidden = true;
});
let over = 0; // events of elements that a file is dragged into less those that it left
const files = (e) => [...(e.dataTransfer?.types ?? [])].includes("Files");
addEventListener("dragenter", (e) => {
  if (files(e)) $("drop").hidden = ++over < 1;
});
addEventListener("dragleave", (e) => {
  if (files(e)) $("drop").hidden = --over < 1;
});
addEventListener("dragover", (e) => {
  if (files(e)) e.preventDefault();
});
addEventListener("drop", async (e) => {
  if (!files(e)) return;
  e.preventDefault();
  over = 0;
  $("drop").hidden = true;
  take(await filesOf(e.dataTransfer));
});

/** openLink opens the review that the address may hold. */
function openLink() {
  if (!location.hash.startsWith("#review=")) return;
  const set = new FormData();
  set.append("link", new File([location.hash], "link"));
  ask("POST", "/matches", set)
    .then((v) => {
      const [file] = v.files;
      if (file.problem) throw new Error(file.problem);
      location.replace(addressOf("/matches/" + v.matches[0]));
    })
    .catch((err) => {
      history.replaceState(null, "", location.pathname);
      toast(err.message);
    });
}
addEventListener("hashchange", openLink);
openLink();

fill(new URLSearchParams(location.search));
$("fields").open = matchMedia("(min-width: 40rem)").matches || [...filter().keys()].some((k) => k !== "text");
load();
