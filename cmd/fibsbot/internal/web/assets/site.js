// Shared by all pages: theme, messages, API.

const root = document.documentElement;

/** $ is the element of an ID; the page that asks knows of which kind it is.
    @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);

const saved = (() => {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
})();
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = (t) => {
  root.dataset.theme = t ?? (dark.matches ? "dark" : "light");
};
paint(saved);
dark.addEventListener("change", () => paint(remembered("theme", null)));
$("theme")?.addEventListener("click", () => {
  const t = root.dataset.theme === "dark" ? "light" : "dark";
  remember("theme", t);
  paint(t);
});

// On a phone the list of pages is wider than the screen.
document.querySelector("nav [aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" });

/* Texts. What people read is written in English as _`…` and looked up in the catalogue
   of their language, which the page brings along; without one it stands as it is. The
   key has {0}, {1} for the values. */
export const texts = JSON.parse($("texts")?.textContent ?? "{}");

/* The language is kept for the server, which writes the page in it. A site without a server
   keeps it itself. */
$("language")?.addEventListener("change", ({ target }) => {
  document.cookie = `language=${target.value}; path=/; max-age=31536000; samesite=lax`;
  remember("language", target.value);
  if (globalThis.fibsbotLanguage) globalThis.fibsbotLanguage(target.value);
  else location.reload();
});

/** _ is a text in the language of the page. */
export function _(parts, ...values) {
  const key = parts.reduce((all, p, i) => `${all}{${i - 1}}${p}`);
  return (texts[key] ?? key).replace(/\{(\d+)\}/g, (_whole, i) => values[i]);
}

/** phrase translates a text of the server, such as a phase of the game or a cube action.
    Texts that the catalogue lacks stay as they are: plays, names. People pass what the API
    calls a drop. */
export function phrase(key) {
  if (key === "drop") key = "pass";
  return texts[key] ?? key;
}

/** below is the address of a path of the server, which a proxy may serve below a prefix. */
export const below = (path) => (root.dataset.prefix ?? "") + path;

/** addressOf is the full address of the page at a path of the server. A site without a server has it elsewhere. */
export const addressOf = (path) => new URL(globalThis.fibsbotAddress?.(path) ?? below(path), location.href).href;

/** visit goes to the page at a path of the server. */
export function visit(path) {
  location.href = addressOf(path);
}

/** positionsAt is the path of a position in Positions; game and drops are rules that its ID lacks,
    undefined for the usual ones.
    @param {string} xgid
    @param {{ game?: string, drops?: string }} [rules] */
export const positionsAt = (xgid, { game, drops } = {}) =>
  "/positions?" + new URLSearchParams({ position: xgid, ...(game && { game }), ...(drops && { drops }) });

/** remember stores a setting in this browser; private windows may refuse. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    /* kept until the page is closed */
  }
}

/** remembered returns a setting, or fallback. */
export function remembered(key, fallback) {
  try {
    return localStorage.getItem(key) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Problem is an error of the API. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.error || `status ${status}`);
    this.status = status;
    this.field = body.field || "";
  }
}

/** ask calls the API. body is an object, a File, a form with files, or nothing. Types of the answers
    are in api.d.ts.
    @param {string} method
    @param {string} path
    @param {object} [body]
    @param {AbortSignal} [signal]
    @returns {Promise<any>} */
export async function ask(method, path, body, signal) {
  const init = { method, signal, headers: {} };
  if (body instanceof Blob) {
    init.headers["Content-Type"] = "application/octet-stream";
    init.body = body;
  } else if (body instanceof FormData) {
    const form = new Response(body);
    init.headers["Content-Type"] = form.headers.get("Content-Type");
    init.body = await form.blob();
  } else if (body !== undefined) {
    init.headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(below("/api/v1" + path), init);
  } catch (err) {
    if (err.name === "AbortError") throw err;
    throw new Problem(0, { error: _`fibsbot does not answer (is it still running?)` });
  }
  const text = await response.text();
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    data = { error: text.slice(0, 200) };
  }
  if (!response.ok) throw new Problem(response.status, data);
  return data;
}

let fading = 0;

/** toast shows a message for a while. */
export function toast(text) {
  const box = $("toast");
  box.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => {
    box.textContent = "";
  }, 6000);
}

/** h makes an element. An href or src is a path of the server. Other children become text, never markup. */
export function h(name, props = {}, ...children) {
  const el = document.createElement(name);
  for (const [k, v] of Object.entries(props)) {
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith("on")) el.addEventListener(k.slice(2), v);
    else if (k === "class") el.className = v;
    else if (/^(href|src)$/.test(k)) el.setAttribute(k, v[0] === "/" ? below(v) : v);
    else el.setAttribute(k, v === true ? "" : v);
  }
  el.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return el;
}

/** button makes a button. */
export const button = (text, onclick, props = {}) =>
  h("button", { type: "button", onclick, ...props }, ...[text].flat());

const svgNS = "http://www.w3.org/2000/svg";

/** refill replaces what is in box. The focus stays on the element of the same name, else near
    the place where it was. */
export function refill(box, ...children) {
  const el = document.activeElement;
  const had = el !== box && box.contains(el);
  const name = (e) =>
    e.dataset.key || e.id || e.getAttribute("aria-label") || e.name || e.textContent.replace(/[↑↓↕]/g, "").trim();
  const all = () =>
    [...box.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
      (e) => !e.disabled,
    );
  const old = had ? all() : [];
  const alike = (list) => list.filter((e) => name(e) === name(el));
  const place = old.indexOf(el);
  const turn = alike(old).indexOf(el);
  box.replaceChildren(...children);
  if (!had) return;
  const now = all();
  const same = alike(now);
  (same[turn] ?? same[0] ?? now[Math.min(place, now.length - 1)])?.focus({ preventScroll: true });
}

/** s makes an element of a drawing. */
export function s(name, props = {}, ...children) {
  const el = document.createElementNS(svgNS, name);
  for (const [k, v] of Object.entries(props)) if (v !== undefined && v !== null) el.setAttribute(k, v);
  el.append(...children);
  return el;
}

const formats = new Map();

/** fixed writes a number with that many decimals, as the language of the page does. */
export function fixed(v, digits = 0) {
  if (!formats.has(digits)) {
    formats.set(
      digits,
      new Intl.NumberFormat(locale() ?? "en", {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: false,
      }),
    );
  }
  return formats.get(digits).format(v).replace("-", "−");
}

/** signed writes a number with its sign, and one that rounds to 0 with a plus. */
export const signed = (v, digits = 3) => (v < -0.5 / 10 ** digits ? "−" : "+") + fixed(Math.abs(v), digits);
export const percent = (v, digits = 1) => _`${fixed(100 * v, digits)}%`;

/** locale is the locale of dates: that of the browser if its language is that of the page, which
    English pages leave to it. */
export function locale() {
  if (/^(en|qps)/.test(root.lang)) return undefined;
  return navigator.languages.find((l) => l.split("-")[0] === root.lang) ?? root.lang;
}

/** show puts an error beside its field. */
export function show(box, err, field) {
  box.textContent = err ? err.message : "";
  box.hidden = !err;
  if (field) {
    if (err) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

/** filled is what the fields of a form hold, but for empty ones, as a query.
    @param {HTMLFormElement} form */
export function filled(form) {
  const fields = /** @type {[string, string][]} */ ([...new FormData(form)]);
  return new URLSearchParams(fields.filter(([, v]) => v.trim()));
}

/** isTyping reports whether a key goes into a field or has a modifier, and is no shortcut.
    @param {KeyboardEvent} e */
const isTyping = (e) =>
  e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (e.target).tagName);

/** pressKey presses the button of box that has the key of an event as its data-key. Enter is left
    to the link, button or row that has the focus.
    @param {KeyboardEvent} e
    @param {HTMLElement} box */
export function pressKey(e, box) {
  if (isTyping(e)) return;
  if (e.key === "Enter" && /** @type {Element} */ (e.target).closest("a, button, summary, [role=row], tr")) return;
  const buttons = /** @type {HTMLButtonElement[]} */ ([...box.querySelectorAll("[data-key]")]);
  const b = buttons.find((x) => x.dataset.key.toLowerCase() === e.key.toLowerCase());
  if (!b || b.disabled) return;
  e.preventDefault();
  b.click();
}

/** fillPresets fills a select with the presets. */
export async function fillPresets(select, chosen) {
  const list = await ask("GET", "/presets");
  const option = ({ name }) => h("option", { value: name, selected: name === chosen }, phrase(name));
  select.replaceChildren(...list.map(option));
  return list;
}
