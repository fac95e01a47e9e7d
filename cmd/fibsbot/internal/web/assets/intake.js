// Match files on their way into the archive: chosen, or dropped with their folders.

import { _, ask, button, h } from "./site.js";
import { td, tr } from "./tables.js";

/** @import { Imported } from "../api.d.ts" */

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
    for (;;) {
      // in pieces of a hundred
      const part = await new Promise((done) => reader.readEntries(done, () => done([])));
      if (!part.length) return;
      for (const e of part) await walk(e);
    }
  };
  for (const entry of entries) await walk(entry);
  return out;
}

const nameOf = (file) => file.within || file.webkitRelativePath || file.name;

/** said is the result of a file or of all in words. */
function said(v) {
  const out = [];
  const count = (n, one, many) => {
    if (n) out.push(n === 1 ? one : many);
  };
  count(v.new, _`1 new match`, _`${v.new} new matches`);
  count(v.joined, _`1 file was a further part of a match`, _`${v.joined} files were further parts of matches`);
  count(v.merged, _`1 match completed`, _`${v.merged} matches completed`);
  const where = v.collection ?? _`collections`;
  count(v.positions, _`1 position kept in ${where}`, _`${v.positions} positions kept in ${where}`);
  if (v.known || (!out.length && v.matches.length)) {
    out.push(v.known > 1 ? _`${v.known} already in the archive` : _`already in the archive`);
  }
  return out.join(", ");
}

/** order sorts the files of a match by its games: a.txt, a_002.txt, and 2 before 10. */
const order = (file) =>
  nameOf(file)
    .replace(/\.[^./]*$/, "")
    .replace(/_(\d{3})$/, "\0$1")
    .replace(/\d+/g, (n) => n.padStart(20, "0"));

/** Ui is where an import shows: changed is called when matches were joined.
    @typedef {object} Ui
    @property {HTMLElement} box
    @property {HTMLProgressElement} bar
    @property {HTMLElement} status
    @property {HTMLElement} rows
    @property {() => void} changed */

/** takeIn imports files as one set; it resolves to the matches that were filed by a guess.
    @param {File[]} files
    @param {Ui} ui
    @returns {Promise<string[]>} */
export async function takeIn(files, ui) {
  const list = files
    .filter((f) => !f.name.startsWith("."))
    .slice(0, most)
    .sort((a, b) => (order(a) < order(b) ? -1 : 1));
  ui.box.hidden = !list.length && !files.length;
  ui.rows.replaceChildren();
  if (!list.length) return [];
  const set = new FormData();
  for (const file of list) set.append(nameOf(file), file);
  ui.bar.removeAttribute("value");
  ui.status.textContent = list.length === 1 ? _`Reading 1 file …` : _`Reading ${list.length} files …`;
  /** @type {Imported} */
  let v;
  try {
    v = await ask("POST", "/matches", set);
  } catch (err) {
    ui.bar.value = 1;
    ui.status.textContent = "";
    ui.rows.append(tr(td(err.message, "error")));
    return [];
  }
  ui.bar.value = 1;
  ui.status.textContent = summary(v, list.length, files.length);
  // Errors come first: they want a look, as does what may be one match.
  const problems = v.files.filter((f) => f.problem);
  const fine = v.files.filter((f) => !f.problem);
  ui.rows.append(
    ...problems.map((f) => tr(td(f.name), h("td", { class: "error", colspan: 2 }, f.problem))),
    ...v.perhaps.map(([a, b]) => joinRow(a, b, ui.changed)),
    ...fine.map((f) => tr(td(f.name), td(said(f)), td(f.matches.length === 1 ? review(f.matches[0]) : ""))),
  );
  return v.guessed.length ? v.matches : [];
}

/** summary says what an import of some of all files found: matches, what is known of them, and
    what could not be read.
    @param {Imported} v */
function summary(v, some, all) {
  const found = [said(v) || _`no match`];
  if (v.undated) found.push(v.undated === 1 ? _`1 without a date` : _`${v.undated} without a date`);
  for (const g of v.guessed) found.push(_`filed under ${g.name}`);
  const out = [(some === 1 ? _`1 file` : _`${some} files`) + ": " + found.join(", ") + "."];
  const [bad] = v.files.filter((f) => f.problem);
  if (v.unreadable === 1 && bad) out.push(_`Not read: ${bad.name}: ${bad.problem}.`);
  else if (v.unreadable) out.push(_`${v.unreadable} files could not be read; they are listed first.`);
  if (all > most) out.push(_`Only the first ${most} files were taken.`);
  return out.join(" ");
}

const review = (id) => h("a", { href: "/matches/" + id }, _`Review`);

/** joinRow offers to join two matches, and calls changed after that. */
function joinRow(a, b, changed) {
  const text = td(_`may be parts of one match`);
  const join = button(_`Join`, async () => {
    try {
      await ask("POST", `/matches/${a}/merge`, { with: b });
      row.remove();
      changed();
    } catch (err) {
      text.textContent = err.message;
    }
  });
  const row = tr(td([review(a), " · ", review(b)]), text, td(join));
  return row;
}
