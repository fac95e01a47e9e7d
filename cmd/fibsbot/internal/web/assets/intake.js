// Match files on their way into the archive: chosen, or dropped with their folders.

import { _, ask, h } from "./site.js";

const most = 2000; // files of one import

/** filesOf lists the files of a drop, those of its folders too, with their paths. */
export async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  const out = [];
  const walk = async (entry) => {
    if (out.length > most || entry.name.startsWith(".")) return;
    if (entry.isFile) {
      const file = await new Promise((done) => entry.file(done, () => done(null)));
      if (file) out.push(Object.assign(file, { within: entry.fullPath.replace(/^\//, "") }));
      return;
    }
    const reader = entry.createReader();
    for (;;) { // in pieces of a hundred
      const part = await new Promise((done) => reader.readEntries(done, () => done([])));
      if (!part.length) return;
      for (const e of part) await walk(e);
    }
  };
  for (const entry of entries) await walk(entry);
  return out;
}

const nameOf = (file) => file.within || file.webkitRelativePath || file.name;

/** said is the result of one file in words; guesses, which may be corrected, are apart. */
function said(v) {
  const out = [];
  if (v.new) out.push(v.new === 1 ? _`1 new match` : _`${v.new} new matches`);
  if (v.merged) out.push(v.merged === 1 ? _`1 match completed` : _`${v.merged} matches completed`);
  if (!out.length) out.push(_`already in the archive`);
  return [out.join(", "), ...v.guessed.map((g) => h("span", { class: "guess" }, ", ", _`filed under ${g.name}`))];
}

/** takeIn imports files one after another. ui has the elements that show progress and a row
    per file; it resolves to the matches that were filed by a guess. */
export async function takeIn(files, ui) {
  const list = files.filter((f) => !f.name.startsWith(".")).slice(0, most);
  ui.box.hidden = !list.length && !files.length;
  ui.rows.replaceChildren();
  const guessed = [];
  let added = 0, bad = 0, n = 0;
  const tell = () => {
    ui.bar.value = list.length ? n / list.length : 1;
    ui.status.textContent = [_`${n} of ${list.length} files`, _`${added} new matches`, bad ? (bad === 1 ? _`1 file could not be read` : _`${bad} files could not be read`) : "", files.length > most ? _`only the first ${most} files` : ""].filter(Boolean).join(" · ");
  };
  tell();
  for (const file of list) {
    const row = h("tr", {}, h("td", {}, nameOf(file)));
    try {
      const v = await ask("POST", "/matches", file);
      added += v.new;
      if (v.guessed.length) guessed.push(...v.matches);
      row.append(h("td", {}, ...said(v)), h("td", {}, v.matches.length === 1 ? h("a", { href: "/matches/" + v.matches[0] }, _`Review`) : ""));
    } catch (err) {
      bad++;
      row.append(h("td", { class: "error", colspan: 2 }, err.message));
    }
    n++;
    // Errors come first: they want a look.
    if (row.querySelector(".error")) ui.rows.prepend(row);
    else ui.rows.append(row);
    tell();
  }
  return guessed;
}
