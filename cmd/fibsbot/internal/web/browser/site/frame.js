// Runs first in each room: its requests go to the engine, its links stay below the folder of
// the site. The rooms are shown in a frame of index.html, which holds the engine.

import { address, base, route } from "./address.js";

const served = /^\/(api\/|matches\/[^/]+\/report)/;

/** save stores what the engine answers as a file. */
async function save(path) {
  const response = await parent.fibsbot.engine.fetch(path);
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({ error: `status ${response.status}` }));
    document.getElementById("toast").textContent = error;
    return;
  }
  const named = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = named ?? path.split("/")[2] + ".html";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function clicked(e) {
  const link = e.target.closest?.("a[href]"), path = link?.getAttribute("href");
  if (e.defaultPrevented || !path?.startsWith("/") || path.startsWith("//")) return;
  e.preventDefault();
  if (served.test(path)) save(path);
  else if (e.ctrlKey || e.metaKey || e.shiftKey || e.button === 1 || link.target === "_blank") open(base.href + "#" + path);
  else if (e.button === 0) location.href = address(path);
}

if (parent === window) {
  location.replace(base.href + "#" + route(location.href));
} else {
  const { engine, eventSource } = parent.fibsbot;
  const real = fetch;
  globalThis.fetch = (input, init) => (typeof input === "string" && served.test(input) ? engine.fetch(input, init) : real(input, init));
  globalThis.EventSource = eventSource(engine);
  globalThis.fibsbotAddress = address;
  addEventListener("click", clicked);
  addEventListener("auxclick", clicked);
  const id = new URLSearchParams(location.search).get("id") ?? "";
  for (const el of document.querySelectorAll("[data-id='MATCH-ID'], [href*='MATCH-ID']")) {
    for (const a of [...el.attributes]) if (a.value.includes("MATCH-ID")) a.value = a.value.replace("MATCH-ID", a.name === "href" ? encodeURIComponent(id) : id);
  }
  // What the program of a browser cannot do.
  for (const el of document.querySelectorAll("a[href*='as=pdf'], option[value=apkg]")) el.remove();
}
