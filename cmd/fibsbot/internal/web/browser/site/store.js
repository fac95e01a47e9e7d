// The files, in a database of the browser (IndexedDB): one store has size, time and kind of each
// path, another the contents.

const NODES = "nodes";
const CONTENTS = "contents";
const CACHE = 32 << 20; // bytes of closed files kept in memory

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class Store {
  #db = null;
  #dirty = new Map(); // path: node, or null for a removed one
  #writing = null;
  #timer = 0;
  #cached = new Set();
  #name;
  #report;

  /** name is that of the database, or null for none. report is called with "ok", "full" or "denied"
      when that changes. */
  constructor(name, report) {
    this.#name = name;
    this.state = "ok";
    this.#report = report;
  }

  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.#report(state);
  }

  /** load opens the database and returns all nodes. Without one, files are in memory only. */
  async load() {
    if (this.#name === null) return [];
    try {
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(NODES);
        request.result.createObjectStore(CONTENTS);
      };
      this.#db = await done(request);
      this.#db.onclose = () => {
        this.#db = null;
        this.#become("denied");
      };
      const nodes = this.#db.transaction(NODES).objectStore(NODES);
      const [paths, values] = await Promise.all([done(nodes.getAllKeys()), done(nodes.getAll())]);
      return paths.map((path, i) => ({ path, ...values[i] }));
    } catch {
      this.#db = null;
      this.#become("denied");
      return [];
    }
  }

  /** content returns what a file holds. */
  async content(path) {
    const waiting = this.#dirty.get(path);
    if (waiting?.data) return waiting.data.slice(0, waiting.size);
    if (!this.#db) return undefined;
    return done(this.#db.transaction(CONTENTS).objectStore(CONTENTS).get(path));
  }

  put(path, node) {
    this.#mark(path, node);
  }

  remove(path) {
    this.#mark(path, null);
  }

  #mark(path, node) {
    this.#dirty.set(path, node);
    this.#timer ||= setTimeout(() => this.flush().catch(() => {}), 50);
  }

  /** closed drops the contents of files that were closed longest ago. */
  closed(node) {
    if (!this.#db) return;
    this.#cached.delete(node);
    this.#cached.add(node);
    let size = 0;
    for (const n of this.#cached) size += n.data?.length ?? 0;
    const waiting = new Set(this.#dirty.values());
    for (const n of this.#cached) {
      if (size <= CACHE) break;
      if (n.open || waiting.has(n) || this.#writing) continue;
      size -= n.data?.length ?? 0;
      n.data = null;
      this.#cached.delete(n);
    }
  }

  /** flush stores all changes. It fails if there is no room; they are tried again with the
      next change. */
  async flush() {
    while (this.#writing) await this.#writing.catch(() => {});
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.#dirty.size || !this.#db) return;
    this.#writing = this.#write();
    try {
      await this.#writing;
    } finally {
      this.#writing = null;
    }
  }

  /** keep stores all changes and resolves to whether they are stored. */
  async keep() {
    try {
      do await this.flush();
      while (this.#dirty.size && this.#db);
    } catch {
      return false;
    }
    return this.#db !== null;
  }

  async #write() {
    const batch = this.#dirty;
    this.#dirty = new Map();
    try {
      const tx = this.#db.transaction([NODES, CONTENTS], "readwrite", { durability: "strict" });
      const nodes = tx.objectStore(NODES);
      const contents = tx.objectStore(CONTENTS);
      const over = new Promise((resolve, reject) => {
        tx.oncomplete = resolve;
        tx.onabort = () => reject(tx.error ?? new DOMException("", "QuotaExceededError"));
        tx.onerror = (e) => e.preventDefault();
      });
      for (const [path, node] of batch) {
        if (!node) {
          nodes.delete(path);
          contents.delete(path);
          continue;
        }
        nodes.put({ mode: node.mode, mtime: node.mtime, size: node.size }, path);
        if (!node.children && node.data) contents.put(node.data.slice(0, node.size), path);
      }
      await over;
      this.#become("ok");
    } catch (err) {
      for (const [path, node] of batch) if (!this.#dirty.has(path)) this.#dirty.set(path, node);
      this.#become(err.name === "QuotaExceededError" ? "full" : "denied");
      throw err;
    }
  }
}
