// What was said and told in the room Online.

import { $, h } from "./site.js";
import { ignored } from "./people.js";
import { options } from "./playoptions.js";
import { sounds } from "./sound.js";

/** @import { LobbyLine, LobbyState } from "../api.d.ts" */

let shown = ""; // the lines shown
let rung = null; // the number of the last line that was heard
let last = null; // the last state

/** talk shows the lines of a state, and rings for new ones to this account; again reports that the
    choice has changed.
    @param {LobbyState} st */
export function talk(st, again = false) {
  last = st;
  /** @type {(line: LobbyLine) => boolean} */
  const wanted = (line) => options.hears(line.kind) && !(line.from && ignored(st.server, line.from));
  const lines = st.news.filter(wanted);
  const newest = st.news.at(-1)?.number ?? 0;
  const fresh = lines.some((l) => l.number > rung && (l.kind === "says" || l.kind === "invitation"));
  if (rung !== null && fresh && !again) sounds.bell();
  rung = newest;
  const text = JSON.stringify(lines);
  if (text === shown) return;
  shown = text;
  const list = $("news");
  list.replaceChildren(...lines.map((l) => h("li", { class: l.kind, "data-data": true }, l.text)));
  list.scrollTop = list.scrollHeight;
}

$("hear").addEventListener("change", () => last && talk(last, true));
