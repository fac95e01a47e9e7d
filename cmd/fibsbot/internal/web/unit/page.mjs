// What a browser gives the modules under test: as much of a page as they touch while they compute
// and make elements. Import it before them.

class Element {
  attributes = new Map();
  children = [];
  dataset = {};
  listeners = {};
  style = {};
  parts = new Set();
  value = "";

  constructor(name) {
    this.name = name;
  }

  classList = {
    add: (c) => this.parts.add(c),
    contains: (c) => this.parts.has(c),
    toggle: (c, on) => (on ? this.parts.add(c) : this.parts.delete(c)),
  };

  set className(text) {
    this.parts = new Set(text.split(" "));
  }

  get textContent() {
    return this.children.map((c) => (typeof c === "string" ? c : c.textContent)).join("");
  }

  set textContent(text) {
    this.children = [text];
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  append(...list) {
    this.children.push(...list);
  }

  replaceChildren(...list) {
    this.children = list;
  }

  addEventListener(event, handle) {
    this.listeners[event] = handle;
  }

  /** all lists the elements below of a name. */
  all(name) {
    const below = this.children.filter((c) => c instanceof Element);
    return below.flatMap((c) => [...(c.name === name ? [c] : []), ...c.all(name)]);
  }
}

const root = new Element("html");
root.lang = "en";
globalThis.document = {
  documentElement: root,
  getElementById: () => null,
  querySelector: () => null,
  querySelectorAll: (what) => shown.filter((el) => el.parts.has(what.slice(1))),
  createElement: (name) => new Element(name),
  createElementNS: (_space, name) => new Element(name),
};
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.location = /** @type {any} */ ({ origin: "http://here", href: "http://here/play" });
const kept = new Map();
globalThis.localStorage = globalThis.sessionStorage = {
  getItem: (k) => kept.get(k) ?? null,
  setItem: (k, v) => kept.set(k, v),
};

/** shown are the elements of the page. */
export const shown = [];

const ticks = [];
globalThis.setInterval = (f) => ticks.push(f);

/** tick lets what runs at intervals run once. */
export const tick = () => ticks.forEach((f) => f());

/** rows are the texts of a table, its cells separated by a bar. */
export const rows = (el) => el.all("tr").map((tr) => tr.children.map((td) => td.textContent).join(" | "));
