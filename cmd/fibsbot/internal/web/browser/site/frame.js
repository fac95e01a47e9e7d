// Runs first in each room: its requests go to the engine, its links stay below the folder of
// the site. The rooms are shown in a frame of index.html, which holds the engine.

import { address, base, route } from "./address.js";
import { save } from "./save.js";

const served = /^\/(api\/|matches\/[^/]+\/report)/;

/** translate puts the texts of a language in the places of the English ones, which the page has. */
function translate(texts) {
  const say = (text) => {
    const key = text.trim();
    return Object.hasOwn(texts, key) ? text.replace(key, () => texts[key]) : text;
  };
  const nodes = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let n = nodes.nextNode(); n; n = nodes.nextNode()) {
    if (!n.parentElement.closest("script, #language")) /** @type {Text} */ (n).data = say(n.nodeValue);
  }
  document.title = document.title.split(" · ").map(say).join(" · ");
  for (const name of ["aria-label", "placeholder", "title"]) {
    for (const el of document.querySelectorAll(`[${name}]`)) el.setAttribute(name, say(el.getAttribute(name)));
  }
  const all = document.createElement("script"); // as the server has it, see site.js
  all.type = "application/json";
  all.id = "texts";
  all.textContent = JSON.stringify(texts);
  document.head.append(all);
}

function clicked(e) {
  const link = e.target.closest?.("a[href]");
  const path = link?.getAttribute("href");
  if (e.defaultPrevented || !path?.startsWith("/") || path.startsWith("//")) return;
  e.preventDefault();
  if (served.test(path)) {
    save(parent.fibsbot.engine, path, link.getAttribute("download")).catch((err) => {
      document.getElementById("toast").textContent = err.message;
    });
  } else if (e.ctrlKey || e.metaKey || e.shiftKey || e.button === 1 || link.target === "_blank") {
    open(base.href + "#" + path);
  } else if (e.button === 0) location.href = address(path);
}

if (parent === window) {
  location.replace(base.href + "#" + route(location.href));
} else {
  const { engine, eventSource, language } = parent.fibsbot;
  document.documentElement.lang = language.now;
  if (language.texts) translate(language.texts);
  /** @type {any} */ (document.getElementById("language")).value = language.now;
  globalThis.fibsbotLanguage = (name) => language.speak(name).then(() => location.reload());
  const real = fetch;
  const spoken = (init = {}) => ({ ...init, headers: { ...init.headers, "Accept-Language": language.now } });
  globalThis.fetch = (input, init) =>
    typeof input === "string" && served.test(input) ? engine.fetch(input, spoken(init)) : real(input, init);
  globalThis.EventSource = eventSource(engine);
  globalThis.fibsbotAddress = address;
  // The addresses that pages write for themselves are below the folder of the site too.
  for (const name of ["pushState", "replaceState"]) {
    const change = history[name].bind(history);
    history[name] = (state, title, path) => {
      change(state, title, typeof path === "string" && path.startsWith("/") ? address(path) : path);
      parent.fibsbot.moved();
    };
  }
  addEventListener("popstate", () => parent.fibsbot.moved());
  addEventListener("click", clicked);
  addEventListener("auxclick", clicked);
  const id = new URLSearchParams(location.search).get("id") ?? "";
  for (const el of document.querySelectorAll("[data-id='MATCH-ID'], [href*='MATCH-ID']")) {
    for (const a of [...el.attributes]) {
      if (a.value.includes("MATCH-ID")) {
        a.value = a.value.replace("MATCH-ID", a.name === "href" ? encodeURIComponent(id) : id);
      }
    }
  }
  // What the program of a browser cannot do.
  for (const el of document.querySelectorAll("a[href*='as=pdf'], #apkg")) {
    el.setAttribute("hidden", "");
  }
}
