// The archive: filters, sorting, import, and what is done with chosen matches.

import { filesOf, takeIn } from "./intake.js";
import { $, _, ask, filled, fixed, h, locale, refill, remember, remembered, show, signed, toast } from "./site.js";
import { shallow, starred } from "./tables.js";

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
const columns = [
  ["started", _`Played`, (m) => m.started, (m) => day(m.started)],
  [
    "account",
    _`Account`,
    (m) => m.account.toLowerCase(),
    (m) => [
      m.account,
      m.pruned
        ? ""
        : h(
            "button",
            {
              type: "button",
              class: "quiet",
              title: _`File under ${m.opponent}`,
              "aria-label": _`File under ${m.opponent}`,
              onclick: () => refile(m),
            },
            "⇄",
          ),
    ],
    "name spare",
  ],
  [
    "opponent",
    _`Opponent`,
    (m) => m.opponent.toLowerCase(),
    (m) => [
      h("a", { href: "/matches/" + m.id, "aria-label": _`Review ${m.account} against ${m.opponent}` }, m.opponent),
      tags(m),
    ],
    "name",
  ],
  ["length", _`Length`, (m) => m.length, (m) => (m.length ? String(m.length) : _`unlimited`), "n spare"],
  [
    "result",
    _`Result`,
    (m) => m.result,
    (m) =>
      h(
        "span",
        { class: m.result > 0 ? "win" : m.result < 0 ? "lose" : "dim" },
        `${{ 1: _`won`, [-1]: _`lost` }[m.result] ?? _`open`} ${m.score[0]}–${m.score[1]}`,
      ),
  ],
  ["preset", _`Preset`, (m) => m.preset ?? "", (m) => m.preset ?? "–", "spare rare"],
  ["pr", _`PR`, (m) => m.pr[0], (m) => shown(m, 0), "n"],
  ["theirs", _`Their PR`, (m) => m.pr[1], (m) => shown(m, 1), "n spare"],
  ["luck", _`Luck`, luck, (m) => (luck(m) === null ? "–" : signed(luck(m), 2)), "n spare"],
];

/** tags are buttons that list the matches of the same event, or with the same tag. */
function tags(m) {
  const button = (field, text) =>
    h(
      "button",
      {
        type: "button",
        class: field,
        title: field === "event" ? _`Event` : _`Tag`,
        onclick: () => {
          form.elements[field].value = text;
          load();
        },
      },
      text,
    );
  const all = [...(m.event ? [button("event", m.event)] : []), ...(m.tags ?? []).map((t) => button("tag", t))];
  return all.length ? h("span", { class: "tags" }, ...all) : "";
}

function day(text) {
  const t = new Date(text);
  if (Number.isNaN(t.getTime()) || t.getFullYear() < 1900) return "–";
  return t.toLocaleDateString(locale(), { year: "numeric", month: "short", day: "numeric" });
}

function draw(more) {
  const all = h("input", {
    type: "checkbox",
    "aria-label": _`Choose all`,
    onchange: () => {
      for (const m of rows) {
        if (all.checked) chosen.add(m.id);
        else chosen.delete(m.id);
      }
      draw(more);
    },
  });
  all.checked = rows.length > 0 && rows.every((m) => chosen.has(m.id));
  const head = h(
    "tr",
    {},
    h("th", { class: "pick" }, all),
    ...columns.map(([key, name, , , kind]) => {
      const th = h(
        "th",
        { class: kind, scope: "col", "aria-sort": key === by ? (down ? "descending" : "ascending") : null },
        h(
          "button",
          { type: "button", onclick: () => sortBy(key) },
          name,
          h("span", { "aria-hidden": "true" }, key === by ? (down ? " ↓" : " ↑") : " ↕"),
        ),
      );
      return th;
    }),
  );
  refill($("list").tHead, head);
  const value = columns.find((c) => c[0] === by)?.[2] ?? columns[0][2];
  const sorted = [...rows].sort((a, b) => {
    const x = value(a);
    const y = value(b);
    const missing = (v) => (v === null || v === undefined ? 1 : 0);
    return missing(x) - missing(y) || (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });
  refill(
    $("list").tBodies[0],
    ...sorted.map((m) =>
      h(
        "tr",
        {},
        h("td", { class: "pick" }, pick(m)),
        ...columns.map(([, , , cell, kind]) => h("td", { class: kind }, ...[cell(m)].flat())),
      ),
    ),
  );
  if (!rows.length) {
    $("list").tBodies[0].append(
      h(
        "tr",
        {},
        h(
          "td",
          { class: "empty", colspan: columns.length + 1 },
          _`No matches found. Play one, or import a match file.`,
        ),
      ),
    );
  }
  $("count").textContent = rows.length
    ? more
      ? _`${rows.length} newest matches`
      : rows.length === 1
        ? _`1 match`
        : _`${rows.length} matches`
    : "";
  if (rows.some((m) => m.shallow.some(Boolean))) $("count").append(" · " + shallow());
  $("more").hidden = !more;
  drawChosen();
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
  $("chosen-edit").href = `/matches/${[...chosen][0]}?edit`;
}

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
  history.replaceState(history.state, "", "/matches" + (q.size ? "?" + q : "")); // a filter has an address
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
  const known = list.some((f) => f.query === now);
  if ($("saved").contains(document.activeElement) && document.activeElement.tagName === "INPUT") return; // being named
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
  refill(
    $("saved"),
    ...list.map((f) =>
      h(
        "span",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            "aria-pressed": String(f.query === now),
            onclick: () => {
              fill(new URLSearchParams(f.query));
              limit = page;
              load();
            },
          },
          f.name,
        ),
        h(
          "button",
          {
            type: "button",
            "aria-label": _`Forget the filter ${f.name}`,
            title: _`Forget the filter ${f.name}`,
            onclick: () => keep(kept().filter((x) => x.name !== f.name)),
          },
          "×",
        ),
      ),
    ),
    ...(now && !known ? [name, h("button", { type: "button", onclick: save }, _`Save this filter`)] : []),
    ...(now
      ? [
          h(
            "button",
            {
              type: "button",
              onclick: () => {
                fill(new URLSearchParams());
                load();
              },
            },
            _`Show all`,
          ),
        ]
      : []),
  );
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

fill(new URLSearchParams(location.search));
$("fields").open = matchMedia("(min-width: 40rem)").matches || [...filter().keys()].some((k) => k !== "text");
load();
