// The workers beside the engine's own. They play pieces of its rollouts and analyses.

const MOST = 8; // workers, with the engine's own
const IDLE = 60_000; // milliseconds without a piece after which they are ended: each holds memory

/** cores is how many workers compute on this device. */
export const cores = () => Math.max(1, Math.min(globalThis.navigator?.hardwareConcurrency ?? 1, MOST));

export class Helpers {
  #begin;
  #workers = []; // promises, undefined where none runs, null where none can be started
  #calls = new Map(); // by ID: the number of the worker, and what gets the result
  #ids = 0;
  #timer = 0;

  /** begin returns what a worker is started with. */
  constructor(begin) {
    this.#begin = begin;
  }

  /** run has worker number k play a piece of the job that kind and spec name. done gets a text and
      null, or null and the result; both are null if the worker is lost. It returns a function that
      cancels the piece: done is not called then. */
  run(k, kind, spec, ask, done) {
    const id = ++this.#ids;
    this.#calls.set(id, { k, done });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#rest(), IDLE);
    this.#workers[k] ??= this.#workers[k] === null ? null : this.#start(k);
    Promise.resolve(this.#workers[k]).then((w) =>
      w ? w.postMessage({ type: "piece", id, kind, spec, ask }) : this.#ended(id, null, null),
    );
    return () => {
      if (this.#calls.delete(id)) Promise.resolve(this.#workers[k]).then((w) => w?.postMessage({ type: "cancel", id }));
    };
  }

  async #start(k) {
    try {
      const w = new Worker(new URL("./helper.js", import.meta.url), { type: "module" });
      w.onmessage = ({ data: m }) => (m.type === "failed" ? this.#lost(k, w) : this.#ended(m.id, m.error, m.data));
      w.onerror = () => this.#lost(k, w);
      w.postMessage({ type: "start", ...(await this.#begin()) });
      return w;
    } catch {
      this.#workers[k] = null;
      return null;
    }
  }

  #ended(id, error, data) {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.done(error, data);
  }

  #lost(k, w) {
    this.#workers[k] = null;
    w.terminate();
    for (const [id, call] of this.#calls) if (call.k === k) this.#ended(id, null, null);
  }

  #rest() {
    if (this.#calls.size) {
      this.#timer = setTimeout(() => this.#rest(), IDLE);
      return;
    }
    for (const w of this.#workers) w?.then((worker) => worker?.terminate());
    this.#workers = this.#workers.map((w) => (w === null ? null : undefined));
  }
}
