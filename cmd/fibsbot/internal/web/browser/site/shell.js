// The page around the rooms: it holds the engine while the reader goes from room to room, and
// says how loading goes, when storage is full, and when a new version is ready.

import { Engine, eventSource } from "./engine.js";
import { address, base, route } from "./address.js";
import { save } from "./save.js";

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);
const { version, size } = document.body.dataset;
const engine = new Engine({ name: base.pathname, version, size: Number(size) });
const frame = $("room");

window.fibsbot = { engine, eventSource, moved };

const storage = {
  denied:
    "This browser refuses to store data. " + "Matches are kept until you close this page: export them before that.",
  full:
    "The browser's storage is full. " +
    "New matches and answers are kept until you close this page: export everything, then free space.",
};

function show() {
  const s = engine.state;
  const text =
    s.phase === "failed" ? s.text.charAt(0).toUpperCase() + s.text.slice(1) + "." : (storage[s.storage] ?? "");
  const mb = (n) => (n / 1e6).toFixed(1);
  $("loading").hidden = s.phase === "ready" || s.phase === "failed";
  $("bar").value = s.total ? s.done / s.total : 0;
  $("loaded").textContent =
    s.phase === "starting"
      ? "Starting the engine…"
      : s.total
        ? `Loading the engine: ${mb(s.done)} of ${mb(s.total)} MB`
        : "Loading the engine…";
  $("notice").hidden = !text;
  $("notice").firstElementChild.textContent = text;
  $("rescue").hidden = s.phase !== "ready";
  $("again").hidden = s.phase !== "failed";
}
engine.addEventListener("change", show);
show();

$("hide").addEventListener("click", () => {
  $("notice").hidden = true;
});
$("again").addEventListener("click", () => location.reload());
$("rescue").addEventListener("click", () =>
  save(engine, "/api/browser/archive").catch((err) => {
    $("notice").firstElementChild.textContent = err.message;
  }),
);

/* Rooms */

let shown = "";

function follow() {
  const link = location.hash.startsWith("#review=") ? "/matches" + location.hash : "";
  const path = link || location.hash.slice(1) || "/play";
  if (path === shown) return;
  shown = path;
  frame.contentWindow.location.replace(address(path));
}

/** moved puts the address of the room and its title into those of this page. */
function moved() {
  const w = frame.contentWindow;
  if (w.location.href === "about:blank") return;
  shown = route(w.location.href);
  history.replaceState(null, "", "#" + shown);
  document.title = w.document.title;
}

frame.addEventListener("load", () => {
  const w = frame.contentWindow;
  if (w.location.href === "about:blank") return;
  moved();
  w.addEventListener("hashchange", moved);
  new MutationObserver(moved).observe(w.document.querySelector("title"), { childList: true });
  frame.focus();
});
addEventListener("hashchange", follow);
follow();

/* Off line */

engine.addEventListener("change", async () => {
  if (engine.state.phase !== "ready" || !navigator.serviceWorker || $("update").dataset.asked) return;
  $("update").dataset.asked = "yes";
  navigator.storage?.persist?.().catch(() => {});
  try {
    const held = await navigator.serviceWorker.register(new URL("sw.js", base));
    const ready = () => {
      if (held.waiting && navigator.serviceWorker.controller) $("update").hidden = false;
    };
    ready();
    held.addEventListener("updatefound", () => held.installing?.addEventListener("statechange", ready));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) held.update().catch(() => {});
    });
    $("now").addEventListener("click", () => held.waiting?.postMessage("now"));
    const had = navigator.serviceWorker.controller;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (had) location.reload();
    });
  } catch {
    /* the browser refuses: the site works while it is on line */
  }
});
