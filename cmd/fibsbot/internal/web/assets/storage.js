// What this browser stores: how much it is, export and import.

import { keep } from "./picture.js";
import { $, _, fixed, show } from "./site.js";

const address = "/api/browser/archive";

async function used() {
  const state = parent.fibsbot?.engine.state.storage;
  if (state === "denied") {
    $("used").textContent = _`This browser refuses to store data: everything is lost when you close the page.`;
    return;
  }
  const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  const kept = await navigator.storage?.persisted?.();
  $("used").textContent =
    _`${fixed(usage / 1e6, 1)} MB used, room for about ${fixed(quota / 1e6, 0)} MB.` +
    " " +
    (kept
      ? _`The browser keeps it until you delete it.`
      : _`The browser may delete it when the disk is full: export it now and then.`);
}
used();
parent.fibsbot?.engine.addEventListener("change", used); // storage may be refused, or get full

async function problem(response) {
  const { error } = await response.json().catch(() => ({ error: `status ${response.status}` }));
  return new Error(error);
}

$("export").addEventListener("click", async () => {
  show($("error"));
  try {
    const response = await fetch(address);
    if (!response.ok) throw await problem(response);
    const name = `fibsbot-${new Date().toISOString().slice(0, 10)}.zip`;
    keep(await response.blob(), name);
    $("said").textContent = _`Exported as ${name}.`;
  } catch (err) {
    show($("error"), err);
  }
});

$("file").addEventListener("change", () => {
  if ($("file").files.length) $("sure").showModal();
});

$("sure").addEventListener("close", async () => {
  const file = $("file").files[0];
  const yes = $("sure").returnValue === "yes" && file;
  $("sure").returnValue = "";
  $("file").value = "";
  if (!yes) return;
  show($("error"));
  $("said").textContent = _`Importing…`;
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: file,
    });
    if (!response.ok) throw await problem(response);
    const { matches } = await response.json();
    $("said").textContent = matches === 1 ? _`Imported 1 match.` : _`Imported ${matches} matches.`;
    used();
  } catch (err) {
    $("said").textContent = "";
    show($("error"), err);
  }
});
