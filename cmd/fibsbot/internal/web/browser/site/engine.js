// The engine as the pages see it: requests go to a worker, of this tab or of another one. Only
// one tab runs it, so that the archive has one writer.

const problem = (status, text) =>
  new Response(JSON.stringify({ error: text, field: "" }), { status, headers: { "Content-Type": "application/json" } });

/** Engine runs in the first tab; other tabs pass their requests to it. */
export class Engine extends EventTarget {
  #tab = crypto.randomUUID?.() ?? String(Math.random());
  #worker = null;
  #channel = null;
  #calls = new Map(); // by ID: the message, and what becomes of its answer
  #count = 0;
  #options;
  state = { phase: "loading", done: 0, total: 0, storage: "ok", text: "" };

  /** options are the name of the database, the version and the size of the program in bytes, and
      the number of workers that compute, as many as there are cores if undefined. Without a name
      nothing is stored and no other tab has a share in it. */
  constructor(options) {
    super();
    this.#options = options;
    const lock = "fibsbot " + options.name;
    if (options.name === null || !navigator.locks || !globalThis.BroadcastChannel) {
      this.#lead();
      return;
    }
    this.#channel = new BroadcastChannel(lock);
    this.#channel.onmessage = ({ data }) => this.#heard(data);
    const hold = () => new Promise(() => {});
    navigator.locks
      .request(lock, { ifAvailable: true }, (got) => {
        if (got) {
          this.#lead();
          return hold();
        }
        this.#channel.postMessage({ to: "engine", from: this.#tab, m: { type: "hello" } });
        for (const c of this.#calls.values()) this.#send(c.m);
        navigator.locks.request(lock, () => {
          this.#lead();
          return hold();
        });
        return undefined;
      })
      .catch(() => this.#lead()); // storage is refused: no other tab shares it
    addEventListener("pagehide", () =>
      this.#channel.postMessage({ to: "engine", from: this.#tab, m: { type: "bye" } }),
    );
  }

  /** #lead starts the worker in this tab. Requests that read are asked again. */
  #lead() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#answered(data);
    this.#worker.onerror = (e) =>
      this.#answered({ type: "failed", text: e.message || "the engine cannot be started in this browser" });
    this.#worker.postMessage({ type: "start", ...this.#options });
    for (const [id, c] of this.#calls) {
      if (!c.sent || c.m.method === "GET") this.#send(c.m);
      else {
        this.#calls.delete(id);
        c.fail(problem(503, "the tab that ran the engine was closed (try again)"));
      }
    }
  }

  /** close ends the worker. */
  close() {
    this.#worker?.terminate();
  }

  #send(m) {
    const c = this.#calls.get(m.id);
    if (this.#worker) this.#worker.postMessage(m);
    else if (this.#channel) this.#channel.postMessage({ to: "engine", from: this.#tab, m });
    if (c) c.sent = true;
  }

  /** #heard takes a message of another tab. */
  #heard({ to, from, m }) {
    if (to === "engine" && this.#worker) {
      if (m.type === "hello") this.#channel.postMessage({ to: from, m: { type: "state", state: this.state } });
      else if (m.type === "bye") this.#worker.postMessage({ type: "cancel-all", tab: from });
      else this.#worker.postMessage(m);
    } else if (to === this.#tab || to === "all") this.#take(m);
  }

  /** #answered takes a message of the worker. */
  #answered(m) {
    if (m.type === "restart") {
      // what it has open was replaced
      this.#worker.terminate();
      this.#lead();
      return;
    }
    const tab = m.id?.slice(0, m.id.lastIndexOf("#"));
    if (!tab || tab === this.#tab) this.#take(m);
    if (this.#channel && tab !== this.#tab) this.#channel.postMessage({ to: tab ?? "all", m });
  }

  #take(m) {
    const c = this.#calls.get(m.id);
    switch (m.type) {
      case "head":
        return c?.head(m.status, m.headers);
      case "data":
        return c?.data(m.data);
      case "end":
        this.#calls.delete(m.id);
        return c?.end();
      case "state":
        Object.assign(this.state, m.state);
        break;
      case "progress":
        Object.assign(this.state, { phase: m.done < m.total ? "loading" : "starting", done: m.done, total: m.total });
        break;
      case "ready":
        Object.assign(this.state, { phase: "ready", storage: m.storage });
        break;
      case "failed":
        Object.assign(this.state, { phase: "failed", text: m.text });
        break;
      case "storage":
        this.state.storage = m.state;
        break;
      default:
        return;
    }
    this.dispatchEvent(new Event("change"));
  }

  /** fetch is like that of the browser, for an address of the server. */
  async fetch(path, init = {}) {
    init.signal?.throwIfAborted();
    const id = `${this.#tab}#${++this.#count}`;
    const headers = Object.fromEntries(new Headers(init.headers));
    const body =
      init.body === undefined || init.body === null
        ? null
        : new Uint8Array(await new Response(init.body).arrayBuffer());
    const m = { type: "request", id, method: init.method ?? "GET", path, headers, body };
    return new Promise((resolve, reject) => {
      let out = null;
      const stop = () => {
        if (!this.#calls.delete(id)) return;
        this.#send({ type: "cancel", id });
        const why = init.signal?.reason ?? new DOMException("", "AbortError");
        out?.error(why);
        reject(why);
      };
      this.#calls.set(id, {
        m,
        sent: false,
        fail: resolve,
        head: (status, h) => {
          const empty = status === 204 || status === 304;
          const stream = new ReadableStream({
            start: (c) => {
              out = c;
            },
            cancel: stop,
          });
          resolve(new Response(empty ? null : stream, { status, headers: h }));
        },
        data: (chunk) => out?.enqueue(chunk),
        end: () => {
          try {
            out?.close();
          } catch {
            /* the reader has gone */
          }
        },
      });
      init.signal?.addEventListener("abort", stop);
      this.#send(m);
    });
  }
}

/** eventSource returns a class like EventSource that asks an engine. */
export const eventSource = (engine) =>
  class extends EventTarget {
    #stop = new AbortController();
    onerror = null;
    onmessage = null;
    readyState = 0;

    constructor(url) {
      super();
      this.url = url;
      this.#read()
        .catch(() => {})
        .finally(() => {
          if (this.readyState === 2) return;
          this.readyState = 2;
          const e = new Event("error");
          this.dispatchEvent(e);
          this.onerror?.(e);
        });
    }

    async #read() {
      const response = await engine.fetch(this.url, { signal: this.#stop.signal });
      if (!response.ok) return;
      this.readyState = 1;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        text += value;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          this.#event(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    }

    #event(text) {
      let name = "message";
      const data = [];
      for (const line of text.split("\n")) {
        if (line.startsWith("event: ")) name = line.slice(7);
        else if (line.startsWith("data: ")) data.push(line.slice(6));
      }
      if (!data.length || this.readyState === 2) return;
      const e = new MessageEvent(name, { data: data.join("\n") });
      this.dispatchEvent(e);
      if (name === "message") this.onmessage?.(e);
    }

    close() {
      this.readyState = 2;
      this.#stop.abort();
    }
  };
