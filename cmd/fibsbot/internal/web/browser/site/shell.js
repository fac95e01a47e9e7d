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

/** Language is that of the pages: chosen by the reader, else one of the browser's, else English.
    Its texts are loaded by who reads them. */
class Language {
  now = "en";
  texts = null;

  /** speak changes the language. The one before stays if the texts cannot be loaded. */
  async speak(name) {
    const texts = name === "en" ? null : await this.load(name).catch(() => undefined);
    if (texts === undefined) return;
    [this.now, this.texts] = [name, texts];
    document.documentElement.lang = name;
    for (const key of Object.keys(site.texts)) delete site.texts[key];
    Object.assign(site.texts, texts);
    this.teach();
    show();
  }

  async load(name) {
    const response = await fetch(new URL(name + ".json", script));
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  }

  /** teach passes the texts to the engine, which writes reviews in them. */
  teach() {
    if (!this.texts) return;
    const body = new Blob([JSON.stringify(this.texts)]);
    engine.fetch("/api/browser/texts/" + this.now, { method: "PUT", body }).catch(() => {});
  }

  /** wanted is the language to begin with. */
  wanted() {
    const known = ["en", ...document.body.dataset.languages.split(" ")];
    const names = [site.remembered("language", ""), ...navigator.languages.map((l) => l.split("-")[0])];
    return names.find((l) => known.includes(l)) ?? "en";
  }
}

const script = /** @type {HTMLScriptElement} */ (document.querySelector("script[src*='/site.js']")).src;
const site = await import(script);
const { _ } = site;
const language = new Language();
window.fibsbot = { engine, eventSource, moved, language };

const storage = () => ({
  denied: _`This browser refuses to store data. Matches are kept until you close this page: export them before that.`,
  full: [
    _`The browser's storage is full.`,
    _`New matches and answers are kept until you close this page: export everything, then free space.`,
  ].join(" "),
});

function show() {
  const s = engine.state;
  const text =
    s.phase === "failed" ? s.text.charAt(0).toUpperCase() + s.text.slice(1) + "." : (storage()[s.storage] ?? "");
  const mb = (n) => (n / 1e6).toFixed(1);
  $("loading").hidden = s.phase === "ready" || s.phase === "failed";
  $("bar").value = s.total ? s.done / s.total : 0;
  $("loaded").textContent =
    s.phase === "starting"
      ? _`Starting the engine…`
      : s.total
        ? _`Loading the engine: ${mb(s.done)} of ${mb(s.total)} MB`
        : _`Loading the engine…`;
  const words = {
    again: _`Try again`,
    rescue: _`Export everything`,
    hide: _`Hide`,
    ready: _`A new version is ready.`,
    now: _`Use it now`,
  };
  for (const [id, text] of Object.entries(words)) $(id).textContent = text;
  $("notice").hidden = !text;
  $("notice").firstElementChild.textContent = text;
  $("rescue").hidden = s.phase !== "ready";
  $("again").hidden = s.phase !== "failed";
}
let phase = "";
engine.addEventListener("change", () => {
  if (phase !== engine.state.phase && engine.state.phase === "ready") language.teach(); // it may have been restarted
  phase = engine.state.phase;
  show();
});

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

// A link to a review is shorter; of a longer one the engine needs no more to refuse it.
const longest = 200_000;

function follow() {
  const link = location.hash.startsWith("#review=") ? "/matches" + location.hash.slice(0, longest) : "";
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
await language.speak(language.wanted());
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
