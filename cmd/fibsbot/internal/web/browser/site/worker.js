// The worker that runs the engine. It answers requests like the server of `fibsbot web`.

import { Files } from "./fs.js";
import { cores, Helpers } from "./helpers.js";
import { compile } from "./kernel.js";
import { run } from "./program.js";
import { Store } from "./store.js";
import { unpack } from "./unpack.js";

const waiting = []; // requests before the engine is ready
const running = new Map(); // cancel functions by the ID of the request
let serve = null;
let dead = "";

let store = null;

onmessage = ({ data: m }) => {
  if (m.type === "start") start(m).catch((err) => failed(err.message));
  else if (m.type === "request") serve || dead ? answer(m) : waiting.push(m);
  else if (m.type === "cancel") cancel(m.id);
  else if (m.type === "cancel-all") {
    for (const id of [...running.keys(), ...waiting.map((w) => w.id)]) if (id.startsWith(m.tab + "#")) cancel(id);
  }
};

function cancel(id) {
  running.get(id)?.();
  const i = waiting.findIndex((w) => w.id === id);
  if (i >= 0) waiting.splice(i, 1);
}

function failed(text) {
  dead = text || "the engine stopped";
  postMessage({ type: "failed", text: dead });
  for (const m of waiting.splice(0)) answer(m);
}

function answer(m) {
  if (dead) {
    const text = new TextEncoder().encode(JSON.stringify({ error: dead, field: "" }));
    postMessage({ type: "head", id: m.id, status: 503, headers: { "Content-Type": "application/json" } });
    postMessage({ type: "data", id: m.id, data: text });
    postMessage({ type: "end", id: m.id });
    return;
  }
  running.set(
    m.id,
    serve(m.method, m.path, m.headers ?? {}, m.body ?? null, {
      head: (status, headers) => postMessage({ type: "head", id: m.id, status, headers }),
      data: (data) => postMessage({ type: "data", id: m.id, data }, { transfer: [data.buffer] }),
      end: () => {
        running.delete(m.id);
        postMessage({ type: "end", id: m.id });
      },
    }),
  );
}

/** loaded is what a file beside this one holds. */
async function loaded(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`the engine cannot be loaded (${name}: status ${response.status})`);
  return response;
}

/** unpacked is the program, which is stored compressed: hosts need not compress it. */
async function unpacked(size) {
  let seen = 0;
  const counted = (await loaded("./fibsbot.bin")).body.pipeThrough(
    new TransformStream({
      transform(chunk, out) {
        seen += chunk.length;
        postMessage({ type: "progress", done: seen, total: size });
        out.enqueue(chunk);
      },
    }),
  );
  return unpack(await new Response(counted.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

async function start({ name, version, size, threads }) {
  store = new Store(name, (state) => postMessage({ type: "storage", state }));
  const files = new Files(store);
  const [program, kernel] = await Promise.all([
    unpacked(size).then((bytes) => WebAssembly.compile(bytes)),
    loaded("./kernel.wasm")
      .then((r) => r.arrayBuffer())
      .then(compile),
    files.load(),
  ]);
  postMessage({ type: "progress", done: size, total: size });
  const helpers = new Helpers(async () => ({ program, kernel, files: await files.below("/home/.cache") }));
  await run(program, kernel, files, {
    version,
    helpers: (threads ?? cores()) - 1,
    piece: (...of) => helpers.run(...of),
    ready(f) {
      serve = f;
      postMessage({ type: "ready", storage: store.state });
      for (const m of waiting.splice(0)) answer(m);
    },
    failed,
    keep: (told) => store.keep().then(told),
    restart: () =>
      store.keep().then((kept) => {
        if (kept) postMessage({ type: "restart" });
      }),
  });
  if (!dead) failed("the engine stopped (reload the page)");
}
