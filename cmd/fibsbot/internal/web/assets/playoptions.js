// The options of the page Play, kept in this browser.

import { viewControls } from "./boardview.js";
import { remember, remembered } from "./site.js";

const $ = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const usual = { "opt-tutor-play": "0", "opt-tutor-cube": "0", "opt-animate": still.matches ? "0" : "1", "opt-confirm": "1", "opt-roll": "0", "opt-forced": "0", "opt-bearoff": "0", "opt-next": "0" };

for (const [id, fallback] of Object.entries(usual)) {
  $(id).checked = remembered(id, fallback) === "1";
  $(id).addEventListener("change", () => remember(id, $(id).checked ? "1" : "0"));
}
$("opt-view").append(viewControls()); // the header is hidden on a phone on its side

export const options = {
  /** tutor is the loss from which the tutor warns of an act, 0 for never. */
  tutor: (kind) => ($(kind === "move" ? "opt-tutor-play" : "opt-tutor-cube").checked ? Number($("opt-bound").value) : 0),
  animate: () => $("opt-animate").checked,
  confirm: () => $("opt-confirm").checked,
  roll: () => $("opt-roll").checked,
  /** easy reports whether a play that is easy for this reason is made automatically. */
  easy: (why) => $(why === "forced" ? "opt-forced" : "opt-bearoff").checked,
  next: () => $("opt-next").checked,
};

/** pause waits that long if animation is on. */
export const pause = (ms) => new Promise((done) => setTimeout(done, options.animate() ? ms : 0));
