// Runs the worker of the browser edition in Node: node node.mjs FOLDER THREADS. Each line of
// standard input is a request {method, path, type, body}, each line of output its {status, body}.
// FOLDER is that of the site with worker.js.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parentPort, Worker as Thread, workerData } from "node:worker_threads";

// What a browser has for workers.
globalThis.onmessage = null;
globalThis.fetch = async (url) => new Response(await readFile(fileURLToPath(url)));
globalThis.Worker = class {
  #thread;
  constructor(url) {
    if (process.env.LOSE_HELPERS && url.href.endsWith("helper.js")) throw new Error("no memory");
    this.#thread = new Thread(new URL(import.meta.url), {
      workerData: { script: url.href },
      resourceLimits: { stackSizeMb: 8 },
    });
    this.#thread.on("message", (data) => this.onmessage?.({ data }));
    this.#thread.on("error", (e) => this.onerror?.(e));
  }
  postMessage(m) {
    this.#thread.postMessage(m);
  }
  terminate() {
    this.#thread.terminate();
  }
};

async function worker({ script }) {
  globalThis.postMessage = (m, { transfer } = {}) => parentPort.postMessage(m, transfer);
  const early = [];
  parentPort.on("message", (data) => (globalThis.onmessage ? globalThis.onmessage({ data }) : early.push(data)));
  await import(script);
  for (const data of early) globalThis.onmessage({ data });
}

async function main(folder, threads) {
  const engine = new Worker(new URL("worker.js", pathToFileURL(folder + "/")));
  const answers = new Map();
  let id = 0;
  const ask = (m) =>
    new Promise((resolve) => {
      answers.set(`node#${++id}`, { chunks: [], resolve });
      engine.postMessage({
        type: "request",
        id: `node#${id}`,
        method: m.method,
        path: m.path,
        headers: { "Content-Type": m.type },
        body: m.body ? new TextEncoder().encode(m.body) : null,
      });
    });
  engine.onerror = (e) => {
    throw e;
  };
  engine.onmessage = ({ data: m }) => {
    const a = answers.get(m.id);
    if (m.type === "head") a.status = m.status;
    else if (m.type === "data") a.chunks.push(m.data);
    else if (m.type === "end") a.resolve({ status: a.status, body: Buffer.concat(a.chunks).toString() });
    else if (m.type === "failed") throw new Error(m.text);
  };
  engine.postMessage({ type: "start", name: "node", version: "v1.2.3", size: 1, threads });
  for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await ask(JSON.parse(line))));
  }
  process.exit();
}

if (workerData) await worker(workerData);
else await main(process.argv[2], Number(process.argv[3]));
