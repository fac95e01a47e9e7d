// The options of the pages that play, kept in this browser. A page has those that concern it.

import { viewControls } from "./boardview.js";
import { $, remember, remembered } from "./site.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const usual = {
  "opt-tutor-play": "0",
  "opt-tutor-cube": "0",
  "opt-animate": still.matches ? "0" : "1",
  "opt-think": "1",
  "opt-confirm": "1",
  "opt-roll": "0",
  "opt-forced": "0",
  "opt-bearoff": "0",
  "opt-next": "0",
  "opt-last": "1",
  "opt-sound": "0",
  "opt-vibrate": "0",
  "opt-reward": "1",
  "opt-bell": "0",
  "hear-says": "1",
  "hear-shouts": "1",
  "hear-kibitzes": "1",
  "hear-whispers": "1",
};

for (const [id, fallback] of Object.entries(usual)) {
  if (!$(id)) continue;
  $(id).checked = remembered(id, fallback) === "1";
  $(id).addEventListener("change", () => remember(id, $(id).checked ? "1" : "0"));
}
for (const id of ["opt-speed", "opt-bound"]) {
  if (!$(id)) continue;
  const saved = remembered(id, "");
  if ([...$(id).options].some((o) => o.value === saved)) $(id).value = saved;
  $(id).addEventListener("change", () => remember(id, $(id).value));
}
$("opt-vibrate").closest("label").hidden = !navigator.vibrate;
$("opt-view")?.append(viewControls()); // the header is hidden on a phone on its side

export const options = {
  /** tutor is the loss from which the tutor warns of an act, 0 for never. */
  tutor: (kind) =>
    $(kind === "move" ? "opt-tutor-play" : "opt-tutor-cube").checked ? Number($("opt-bound").value) : 0,
  animate: () => $("opt-animate").checked && !still.matches,
  /** pace is how long an animation takes, 1 being normal. */
  pace: () => Number($("opt-speed").value),
  /** think reports whether the opponent takes the time of a person; without animation it does not. */
  think: () => $("opt-think").checked,
  last: () => $("opt-last").checked,
  bell: () => $("opt-bell").checked,
  /** hears reports whether lines of that kind are shown. */
  hears: (kind) => $("hear-" + kind)?.checked ?? true,
  sound: () => $("opt-sound").checked,
  vibrate: () => $("opt-vibrate").checked,
  confirm: () => $("opt-confirm").checked,
  roll: () => $("opt-roll").checked,
  /** easy reports whether a play that is easy for this reason is made automatically. */
  easy: (why) => $(why === "forced" ? "opt-forced" : "opt-bearoff").checked,
  /** reward reports whether level, trend, streak and puzzle of the day are shown. */
  reward: () => $("opt-reward").checked,
  next: () => $("opt-next").checked,
};

/** pause waits that long, at the chosen pace, if animation is on. */
export const pause = (ms) => new Promise((done) => setTimeout(done, options.animate() ? ms * options.pace() : 0));
