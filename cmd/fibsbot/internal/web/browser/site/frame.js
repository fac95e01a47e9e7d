// Runs first in each room: its requests go to the engine, its links stay below the folder of
// the site. The rooms are shown in a frame of index.html, which holds the engine.

import { address, base, route } from "./address.js";
import { save } from "./save.js";

const served = /^\/(api\/|matches\/[^/]+\/report)/;

function clicked(e) {
  const link = e.target.closest?.("a[href]");
  const path = link?.getAttribute("href");
  if (e.defaultPrevented || !path?.startsWith("/") || path.startsWith("//")) return;
  e.preventDefault();
  if (served.test(path)) {
    save(parent.fibsbot.engine, path).catch((err) => {
      document.getElementById("toast").textContent = err.message;
    });
  } else if (e.ctrlKey || e.metaKey || e.shiftKey || e.button === 1 || link.target === "_blank") {
    open(base.href + "#" + path);
  } else if (e.button === 0) location.href = address(path);
}

if (parent === window) {
  location.replace(base.href + "#" + route(location.href));
} else {
  const { engine, eventSource } = parent.fibsbot;
  const real = fetch;
  globalThis.fetch = (input, init) =>
    typeof input === "string" && served.test(input) ? engine.fetch(input, init) : real(input, init);
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
  for (const el of document.querySelectorAll("a[href*='as=pdf'], #png, #apkg, .language")) {
    el.setAttribute("hidden", "");
  }
}
