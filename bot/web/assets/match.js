// One match: its review, and the analysis of it, deeper.

import { ask, fillPresets, toast } from "./site.js";

const $ = (id) => document.getElementById(id);
const id = $("match").dataset.id;
const button = $("analyse");
let job = null;

async function title() {
  try {
    const m = await ask("GET", "/matches/" + encodeURIComponent(id));
    $("title").textContent = `${m.account} – ${m.opponent}, ${m.score[0]}–${m.score[1]}${m.length ? ` of ${m.length}` : ""}`;
    document.title = $("title").textContent + " · fibsbot";
    $("progress").textContent = m.plies < 0 ? "Not analysed yet." : `Analysed at ${m.plies} plies.`;
  } catch (err) {
    $("progress").textContent = err.message;
    button.disabled = true;
    $("report").hidden = true;
  }
}

function follow(started) {
  job = started;
  button.textContent = "Stop";
  const source = new EventSource(`/api/v1/jobs/${job}/events`);
  const over = () => {
    source.close();
    job = null;
    button.textContent = "Analyse";
  };
  source.addEventListener("job", (e) => {
    const j = JSON.parse(e.data);
    $("progress").textContent = j.state === "queued" ? "Waiting for another job…" : `${j.done} of ${j.total} decisions, ${j.seconds.toFixed(0)} s`;
    if (j.state === "running" || j.state === "queued") return;
    over();
    if (j.state === "done") {
      title();
      $("report").src = $("report").src; // reads it again
    } else $("progress").textContent = j.error || "Stopped. What was judged is not kept.";
  });
  source.onerror = over;
}

button.addEventListener("click", async () => {
  try {
    if (job) await ask("DELETE", "/jobs/" + job);
    else follow((await ask("POST", `/matches/${id}/analyse`, { preset: $("preset").value })).id);
  } catch (err) {
    toast(err.message);
  }
});
fillPresets($("preset"), "worldclass").catch((err) => toast(err.message));
title();
ask("GET", "/jobs").then((list) => {
  const mine = list.find((j) => j.match === id && (j.state === "running" || j.state === "queued"));
  if (mine) follow(mine.id);
}).catch(() => {}); // the analysis can be asked for all the same
