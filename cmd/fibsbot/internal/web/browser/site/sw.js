// Keeps the site for reading off line. A new version is loaded beside the old one and used
// when all tabs are closed, or when the reader asks for it.

const VERSION = "{{.Version}}";
const FILES = JSON.parse(`{{.Files}}`);
/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
const NAME = "fibsbot " + new URL(worker.registration.scope).pathname;

// A host may let browsers keep files for hours. Those whose address does not change with
// their contents are asked for again.
const asked = (file) => new Request(file, { cache: /^\.\/(assets|engine)\//.test(file) ? "default" : "no-cache" });

worker.addEventListener("install", (e) =>
  e.waitUntil(caches.open(NAME + " " + VERSION).then((c) => c.addAll(FILES.map(asked)))),
);

worker.addEventListener("activate", (e) =>
  e.waitUntil(
    (async () => {
      for (const key of await caches.keys()) {
        if (key.startsWith(NAME + " ") && key !== NAME + " " + VERSION) await caches.delete(key);
      }
      await worker.clients.claim();
    })(),
  ),
);

worker.addEventListener("message", (e) => {
  if (e.data === "now") worker.skipWaiting();
});

worker.addEventListener("fetch", (e) => {
  const u = new URL(e.request.url);
  if (e.request.method !== "GET" || u.origin !== location.origin || !u.href.startsWith(worker.registration.scope)) {
    return;
  }
  e.respondWith(
    (async () => {
      const found = await caches.match(u.origin + u.pathname, { cacheName: NAME + " " + VERSION });
      if (found) return found;
      const loaded = await fetch(e.request);
      // Only readers of a language load its texts.
      if (loaded.ok && /\/assets\/[^/]+\/[a-z]+\.json$/.test(u.pathname)) {
        await (await caches.open(NAME + " " + VERSION)).put(u.origin + u.pathname, loaded.clone());
      }
      return loaded;
    })(),
  );
});
