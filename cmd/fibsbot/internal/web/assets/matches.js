// The archive: filters, sorting, import.

import { _, ask, h, remember, remembered, show, signed, toast } from "./site.js";

const $ = (id) => document.getElementById(id);
const form = $("filter");
const page = 100;
let rows = [], limit = page, asking = null;
let [by, down] = remembered("sort", "started 1").split(" ").map((x, i) => (i ? x === "1" : x));

/** pr is the performance rating of the account (0) or the opponent (1), null if not analysed. */
const luck = (m) => (m.luck[0] === null || m.luck[1] === null ? null : m.luck[0] - m.luck[1]);
const pr = (m, i) => (m.error[i] === null || !m.counted_decisions[i] ? null : (500 * m.error[i]) / m.counted_decisions[i]);
const fixed = (v, d = 1) => (v === null ? "–" : v.toFixed(d));
const columns = [
  ["started", _`Played`, (m) => m.started, (m) => day(m.started)],
  ["account", _`Account`, (m) => m.account.toLowerCase(), (m) => [m.account, m.pruned ? "" : h("button", { type: "button", class: "quiet", title: _`File under ${m.opponent}`, "aria-label": _`File under ${m.opponent}`, onclick: () => refile(m) }, "⇄")], "name spare"],
  ["opponent", _`Opponent`, (m) => m.opponent.toLowerCase(), (m) => m.opponent, "name"],
  ["length", _`Length`, (m) => m.length, (m) => (m.length ? String(m.length) : _`unlimited`), "n spare"],
  ["result", _`Result`, (m) => m.result, (m) => h("span", { class: m.result > 0 ? "win" : m.result < 0 ? "lose" : "dim" }, `${{ 1: _`won`, [-1]: _`lost` }[m.result] ?? _`open`} ${m.score[0]}–${m.score[1]}`)],
  ["preset", _`Preset`, (m) => m.preset ?? "", (m) => m.preset ?? "–", "spare rare"],
  ["pr", _`PR`, (m) => pr(m, 0) ?? 1e9, (m) => fixed(pr(m, 0)), "n"],
  ["theirs", _`Their PR`, (m) => pr(m, 1) ?? 1e9, (m) => fixed(pr(m, 1)), "n spare"],
  ["luck", _`Luck`, (m) => luck(m) ?? -1e9, (m) => (luck(m) === null ? "–" : signed(luck(m), 2)), "n spare"],
];

function day(text) {
  const t = new Date(text);
  if (Number.isNaN(t.getTime()) || t.getFullYear() < 1900) return "–";
  return t.toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

function draw(more) {
  const head = h("tr", {}, ...columns.map(([key, name, , , kind]) => {
    const th = h("th", { class: kind, scope: "col", "aria-sort": key === by ? (down ? "descending" : "ascending") : null },
      h("button", { type: "button", onclick: () => sortBy(key) }, name, key === by ? (down ? " ↓" : " ↑") : ""));
    return th;
  }), h("th", {}, h("span", { class: "hidden" }, _`Review`)));
  $("list").tHead.replaceChildren(head);
  const value = columns.find((c) => c[0] === by)?.[2] ?? columns[0][2];
  const sorted = [...rows].sort((a, b) => {
    const x = value(a), y = value(b);
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });
  $("list").tBodies[0].replaceChildren(...sorted.map((m) => h("tr", {}, ...columns.map(([, , , cell, kind]) => h("td", { class: kind }, ...[cell(m)].flat())),
    h("td", {}, h("a", { href: "/matches/" + m.id, "aria-label": _`Review ${m.account} against ${m.opponent}` }, _`Review`)))));
  if (!rows.length) $("list").tBodies[0].append(h("tr", {}, h("td", { class: "empty", colspan: columns.length + 1 }, _`No matches found. Play one, or import a match file.`)));
  $("count").textContent = rows.length ? more ? _`${rows.length} newest matches` : rows.length === 1 ? _`1 match` : _`${rows.length} matches` : "";
  $("more").hidden = !more;
}

function sortBy(key) {
  down = key === by ? !down : ["started", "luck", "result", "length"].includes(key);
  by = key;
  remember("sort", `${by} ${down ? 1 : 0}`);
  draw(!$("more").hidden);
  $("list").querySelector("th[aria-sort] button")?.focus();
}

async function load() {
  asking?.abort();
  asking = new AbortController();
  const q = new URLSearchParams([...new FormData(form)].filter(([, v]) => v.trim()));
  q.set("limit", limit);
  for (const el of form.elements) el.removeAttribute("aria-invalid");
  try {
    const v = await ask("GET", "/matches?" + q, undefined, asking.signal);
    show($("filter-error"), null);
    rows = v.matches;
    draw(v.more);
  } catch (err) {
    if (err.name !== "AbortError") show($("filter-error"), err, err.field ? form.querySelector(`[name="${CSS.escape(err.field)}"]`) : null);
  }
}

let timer = 0;
form.addEventListener("input", () => {
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

let watching = 0, had = 0, stored; // stored: matches in the archive, which other processes change too

async function analysis(method = "GET") {
  clearTimeout(watching);
  try {
    const v = await ask(method, "/analysis", method === "POST" ? {} : undefined);
    const left = v.left + (v.match ? 1 : 0), job = v.job && v.match ? await ask("GET", "/jobs/" + v.job).catch(() => null) : null;
    $("analysing").textContent = left ? (left === 1 ? _`Analysing 1 match` : _`Analysing ${left} matches`) + (job?.total ? _`, ${job.done} of ${job.total} decisions` : "") + "…"
      : v.failed ? _`${v.failed} matches could not be analysed.` : method === "POST" ? _`All matches are analysed.` : "";
    $("stop").hidden = !left;
    $("all").hidden = left > 0;
    if (left < had || (stored ?? v.matches) !== v.matches) load();
    stored = v.matches;
    had = left;
    watching = setTimeout(analysis, left ? 1500 : 10000);
  } catch (err) {
    $("analysing").textContent = err.message;
  }
}
$("all").addEventListener("click", () => analysis("POST"));
$("stop").addEventListener("click", () => analysis("DELETE"));
analysis();

/* The trash */

async function trash() {
  const list = await ask("GET", "/trash").catch(() => []);
  $("trash").hidden = !list.length;
  $("deleted").replaceChildren(...list.map((x) => h("li", {}, `${day(x.started)}, ${x.account} – ${x.opponent} `, h("button", { type: "button", class: "quiet", onclick: async () => {
    try {
      await ask("POST", `/trash/${x.id}/undelete`, {});
      load();
      trash();
    } catch (err) {
      toast(err.message);
    }
  } }, _`Restore`))));
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
    await ask("PUT", "/me", { names: names.elements.names.value.split("\n").map((x) => x.trim()).filter(Boolean) });
    show($("names-error"), null, names.elements.names);
    toast(_`Your names are saved.`);
    drawNames();
  } catch (err) {
    show($("names-error"), err, names.elements.names);
  }
});
drawNames();

/** imported reports the result of an import. */
function imported(v, file) {
  const out = [v.new ? (v.new === 1 ? _`1 new match from ${file.name}` : _`${v.new} new matches from ${file.name}`) : _`${file.name} is already in the archive.`];
  for (const g of v.guessed) out.push(_`Filed under ${g.name}; ⇄ files a match under the other player.`);
  return out.join(" · ");
}

$("file").addEventListener("change", async (e) => {
  const file = e.target.files[0];
  e.target.value = "";
  if (!file) return;
  try {
    const v = await ask("POST", "/matches", file);
    toast(imported(v, file));
    analysis();
    load();
  } catch (err) {
    toast(`${file.name}: ${err.message}`);
  }
});
load();
