// The engine of fibsbot for other pages: fibsbot.d.ts describes the functions.

import { Engine, eventSource } from "./engine.js";

let engine = null;

/** EngineError has the reason in one sentence and the field of the question that is wrong. */
export class EngineError extends Error {
  constructor(text, field = "") {
    super(field && !text.includes(field) ? `${field}: ${text}` : text);
    this.name = "EngineError";
    this.field = field;
  }
}

/** @type {typeof import("./fibsbot.d.ts").load} */
export function load({ threads, onProgress } = {}) {
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1)) {
    return Promise.reject(new EngineError(`${threads} is not a number of workers (use 1 or more)`, "threads"));
  }
  engine ??= new Engine({ name: null, version: "{{.Version}}", size: Number("{{.Size}}"), threads });
  const now = engine;
  return new Promise((resolve, reject) => {
    const look = () => {
      const { phase, done, total, text } = now.state;
      if (phase === "loading" && total) onProgress?.(done, total);
      if (phase === "ready") resolve();
      else if (phase === "failed") {
        if (engine === now) close();
        reject(new EngineError(text));
      } else return;
      now.removeEventListener("change", look);
    };
    now.addEventListener("change", look);
    look();
  });
}

/** @type {typeof import("./fibsbot.d.ts").close} */
export function close() {
  engine?.close();
  engine = null;
}

/** ask returns the document that answers a request.
    @param {string} method
    @param {string} path
    @param {string | ArrayBuffer | ArrayBufferView | Blob} [body]
    @param {import("./fibsbot.d.ts").Options & { type?: string }} [options]
    @returns {Promise<any>} */
async function ask(method, path, body, { signal, type = "application/json" } = {}) {
  signal?.throwIfAborted();
  await load();
  const response = await engine.fetch("/api/v1" + path, { method, body, signal, headers: { "Content-Type": type } });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new EngineError(answer.error ?? `the engine answered with status ${response.status}`, answer.field);
  }
  return answer;
}

const question = (path, q, options) => ask("POST", path, JSON.stringify(q ?? {}), options);

/** job follows a job to its end.
    @param {object} started
    @param {string} started.id
    @param {import("./fibsbot.d.ts").JobOptions} [options]
    @returns {Promise<any>} */
async function job({ id }, { signal, onProgress } = {}) {
  const path = `/jobs/${id}`;
  try {
    return await new Promise((resolve, reject) => {
      const events = new (eventSource(engine))("/api/v1" + path + "/events");
      const end = (settle, value) => {
        events.close();
        signal?.removeEventListener("abort", stop);
        settle(value);
      };
      const stop = () => end(reject, signal.reason);
      signal?.addEventListener("abort", stop);
      if (signal?.aborted) stop();
      events.addEventListener("job", (e) => {
        const j = JSON.parse(/** @type {MessageEvent} */ (e).data);
        if (j.state === "done") end(resolve, j);
        else if (j.state === "failed" || j.state === "stopped") {
          end(reject, new EngineError(j.error || "the work was stopped"));
        } else onProgress?.(j.done, j.total, j.rollout);
      });
      events.addEventListener("error", () =>
        end(reject, new EngineError("the engine stopped (call the function again)")),
      );
    });
  } finally {
    // The first request stops a job that runs, the next removes it.
    if (signal?.aborted) await ask("DELETE", path).catch(() => {});
    await ask("DELETE", path).catch(() => {});
  }
}

/** @type {typeof import("./fibsbot.d.ts").evaluate} */
export const evaluate = (q, options) => question("/eval", q, options);

/** @type {typeof import("./fibsbot.d.ts").hint} */
export const hint = (q, options) => question("/plays", q, options);

/** @type {typeof import("./fibsbot.d.ts").cube} */
export async function cube(q, options) {
  const answer = await question("/cube", q, options);
  if (!answer.cube) throw new EngineError("the player on roll may not double", "position");
  return answer.cube;
}

/** @type {typeof import("./fibsbot.d.ts").rollout} */
export const rollout = async (q, options) =>
  (await job(await question("/rollouts", q, { signal: options?.signal }), options)).rollout;

/** @type {typeof import("./fibsbot.d.ts").analyse} */
export async function analyse(file, { preset = "worldclass", ...options } = {}) {
  const started = await ask("POST", "/analyse?preset=" + encodeURIComponent(preset), file, {
    signal: options.signal,
    type: "application/octet-stream",
  });
  return (await job(started, options)).analysis;
}
