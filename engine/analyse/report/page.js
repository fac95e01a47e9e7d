/* review makes the report under root, a document or a shadow tree, one to step through.
   options.signal ends it; options.shown is called with each decision that it shows;
   options.view returns how boards look: turned, mirrored, numbers; options.texts are those of
   another language. It returns a function that draws the board again. */
const review = (root, options) => {
  const r = new Review(root, options ?? {});
  return () => r.show(r.now);
};

/* Decisions are those of the report. They wait as text in the part for readers without scripts:
   nothing of it is built, or even searched, before it is looked at. The mark of each, a letter, is
   apart, a capital for the player at the top; so are the numbers of the decisions by game. */
class Decisions {
  constructor(all) {
    this.text = all.textContent;
    const names = { v: "very_bad", b: "bad", d: "doubtful", o: "ok" };
    const { marks: letters, places } = all.dataset;
    this.marks = [...letters].map((c) => names[c.toLowerCase()]);
    this.seats = [...letters].map((c) => (c === c.toLowerCase() ? "0" : "1"));
    const numbers = (list, game) => (list ? list.split(",").map((m) => [game + 1, +m]) : []);
    this.places = letters ? places.split(";").flatMap(numbers) : [];
    this.total = this.marks.length;
  }

  /** article is decision n as it is written. */
  article(n) {
    const from = this.text.indexOf("<article id=d" + n + " ");
    const to = this.text.indexOf("<article id=d", from + 1);
    return this.text.slice(from, to < 0 ? this.text.length : to);
  }

  /** address names decision n as reports number it: g2m14 is decision 14 of game 2. */
  address(n) {
    return n ? "g" + this.places[n - 1][0] + "m" + this.places[n - 1][1] : "";
  }

  /** find is the number of the decision that an address names, or 0. */
  find(address) {
    const old = /^d(\d+)$/.exec(address);
    if (old) return +old[1] <= this.total ? +old[1] : 0;
    const [, game, number] = /^g(\d+)m(\d+)$/.exec(address) ?? [];
    // An obvious decision not to double is shown with the roll after it.
    return this.places.findIndex((p) => p[0] === +game && p[1] >= +number) + 1;
  }
}

/* Review is the report as a reader steps through it. */
class Review {
  now = 0; // the decision shown
  tab = "sheet";
  walking = false; // the last change of the address was a step
  lit = []; // what names the decision in the sheet

  constructor(root, { signal, shown, view, texts }) {
    this.root = root;
    this.signal = signal;
    this.shown = shown;
    this.texts = texts;
    this.look = () => view?.() ?? {};
    this.decisions = new Decisions(this.$("all"));
    this.card = this.$("card");
    this.limit = this.$("lim");
    this.who = this.$("who");
    this.form = this.$("filter");
    const curve = root.querySelector(".curve");
    this.curve = curve && new Curve(curve, (n) => this.go(n), signal);
    this.errors = this.form && new ErrorList(this);
    this.usual = { tab: "sheet", player: "", marks: this.limit.options[0].value, kind: "", phase: "", plan: "" };
    this.usual.size = this.form?.elements.size.value;
    this.listen();
    const named = location.hash;
    this.read(true);
    if (named || shown) this.write("load");
    if (named) this.arrive();
  }

  say(key, ...values) {
    return (this.texts?.[key] ?? key).replace(/\{(\d)\}/g, (_, i) => values[i]);
  }

  $(id) {
    return this.root.getElementById(id);
  }

  all(what) {
    return [...this.root.querySelectorAll(what)];
  }

  /** listen handles what the reader does. */
  listen() {
    const { signal } = this;
    const on = (target, event, handle, more) => target.addEventListener(event, handle, { signal, ...more });
    this.$("pv").onclick = () => this.step(-1);
    this.$("nx").onclick = () => this.step(1);
    this.$("pe").onclick = () => this.error(-1);
    this.$("ne").onclick = () => this.error(1);
    this.limit.onchange = this.who.onchange = () => {
      this.light();
      this.errors?.sift();
      this.write("filter");
    };
    on(this.root, "click", (e) => this.clicked(e));
    on(document, "keydown", (e) => this.pressed(e));
    this.swipe();
    if (window.ResizeObserver) {
      const seen = new ResizeObserver(() => this.stick());
      seen.observe(this.$("view"));
      signal?.addEventListener("abort", () => seen.disconnect());
    }
    on(window, "resize", () => this.stick());
    on(window, "beforeprint", () => this.print());
    on(window, "afterprint", () => {
      this.$("print").textContent = "";
    });
    for (const event of ["popstate", "hashchange"]) {
      on(window, event, () => {
        if (location.hash === this.address()) return;
        this.read();
        this.follow();
      });
    }
  }

  /** swipe takes a finger across the board: left for the next decision, right for the one before. */
  swipe() {
    let touch = null;
    const start = (e) => {
      touch = e.touches.length === 1 ? e.touches[0] : null;
    };
    const end = (e) => {
      if (!touch) return;
      const t = e.changedTouches[0];
      const dx = t.clientX - touch.clientX;
      const dy = t.clientY - touch.clientY;
      touch = null;
      if (Math.abs(dx) > 45 && Math.abs(dx) > 2 * Math.abs(dy)) this.step(dx < 0 ? 1 : -1);
    };
    this.card.addEventListener("touchstart", start, { passive: true });
    this.card.addEventListener("touchend", end, { passive: true });
  }

  /** clicked follows links to decisions and lists. */
  clicked(e) {
    const a = e.target.closest('a[href^="#"]');
    if (!a || e.ctrlKey || e.metaKey) return;
    const to = a.getAttribute("href").slice(1);
    const n = /^d(\d+)$/.exec(to);
    if (n) {
      e.preventDefault();
      this.go(+n[1]);
    } else if (a.closest("#tabs")) {
      e.preventDefault();
      this.open(to);
      this.write("filter");
    }
  }

  /** keys is what each key does. */
  keys = {
    ArrowRight: () => this.step(1),
    ArrowLeft: () => this.step(-1),
    j: () => this.step(1),
    k: () => this.step(-1),
    l: () => this.step(1),
    h: () => this.step(-1),
    e: () => this.error(1),
    n: () => this.error(1),
    p: () => this.error(-1),
    E: () => this.error(-1),
    b: () => this.error(1, ["very_bad"]),
    B: () => this.error(-1, ["very_bad"]),
    Home: () => this.step(1 - this.now),
    End: () => this.step(this.decisions.total - this.now),
    g: () => this.turn("sheet"),
    x: () => this.turn("errors"),
    s: () => this.turn("stats"),
    r: () => this.turn("rolls"),
  };

  pressed(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.composedPath()[0].tagName)) return;
    const act = this.keys[e.key];
    if (!act || !this.decisions.total) return;
    e.preventDefault();
    act();
  }

  /* What is shown */

  /** show shows decision n. */
  show(n) {
    const { total, places } = this.decisions;
    if (!total) return;
    n = Math.min(total, Math.max(1, n));
    this.now = n;
    // The address must not scroll to it.
    this.card.innerHTML = this.decisions.article(n).replace("<article id=d" + n, "<article");
    for (const code of this.card.querySelectorAll(".ids code")) code.replaceWith(this.copyButton(code.textContent));
    this.results();
    this.light();
    this.curve?.point(n);
    this.stick();
    this.shown?.({ game: places[n - 1][0], number: places[n - 1][1] });
  }

  /** copyButton copies an ID. */
  copyButton(id) {
    const name = ["XGID", "OGID"].find((k) => id.startsWith(k + "=")) || this.say("Position and Match ID");
    const text = this.say("Copy {0}", name);
    const b = Object.assign(document.createElement("button"), { className: "cp", type: "button", textContent: text });
    b.title = id;
    b.onclick = () => copyText(id, b);
    return b;
  }

  /** results shows the position after a play while its row is touched, pointed at or has the focus. */
  results() {
    const svg = this.card.querySelector(".bgb");
    const before = svg?.innerHTML;
    const arrange = () => arrangeBoard(svg, this.look(), (id) => this.$(id));
    arrange();
    for (const row of this.card.querySelectorAll("[data-to]")) {
      const on = () => {
        svg.innerHTML = before;
        settleBoard(svg, row.dataset.to, (n) => this.say("{0} pips", n));
        arrange();
        row.classList.add("seen");
      };
      const off = () => {
        svg.innerHTML = before;
        arrange();
        row.classList.remove("seen");
      };
      row.tabIndex = 0;
      row.addEventListener("pointerenter", on);
      row.addEventListener("pointerleave", (e) => {
        if (e.pointerType === "mouse") off();
      });
      row.addEventListener("focus", on);
      row.addEventListener("blur", off);
    }
  }

  /** light shows where the decision is: in the bar and in the sheet. */
  light() {
    const { total } = this.decisions;
    this.$("where").textContent = this.say("{0} of {1}", this.now, total);
    this.$("pv").disabled = this.now === 1;
    this.$("nx").disabled = this.now === total;
    this.$("pe").disabled = !this.seek(this.now, -1, this.wanted());
    this.$("ne").disabled = !this.seek(this.now, 1, this.wanted());
    for (const a of this.lit) a.classList.remove("on");
    this.lit = this.all('.sheet a[href="#d' + this.now + '"]');
    for (const a of this.lit) a.classList.add("on");
  }

  /** follow moves the page so that the play in hand is in sight beside the board, but not so far that a
      decision higher than the window hides its board. */
  follow() {
    // To ask where things are before the layout would lay out twice.
    requestAnimationFrame(() => {
      if (!matchMedia("(min-width:64rem)").matches) return;
      const box = this.tab === "sheet" && this.lit[0]?.getBoundingClientRect();
      const far = box && (box.top < 90 || box.bottom > innerHeight - 20);
      const view = this.$("view");
      const stay = parseFloat(view.style.getPropertyValue("--stay")) || 0;
      const top = parseFloat(getComputedStyle(view).top);
      const above = (view.querySelector("svg") ?? view).getBoundingClientRect().top - view.getBoundingClientRect().top;
      const hidden = above + stay < this.all(".bar")[0].offsetHeight; // the board, below the row of steps
      const start = this.all(".opening")[0].getBoundingClientRect().top; // that of the decision, unless it sticks
      const room = hidden ? start - top + stay : Infinity;
      scrollBy(0, Math.min(far ? box.top - innerHeight / 2 : 0, room));
    });
  }

  /** arrive moves the page to the decision that its address names, below the opening. */
  arrive() {
    this.follow();
    requestAnimationFrame(() => {
      if (!matchMedia("(min-width:64rem)").matches) this.$("view").scrollIntoView();
    });
  }

  /** stick keeps the lower end of a decision that is higher than the window in sight. */
  stick() {
    const view = this.$("view");
    view.style.setProperty("--stay", Math.min(0, innerHeight - view.offsetHeight - 80) + "px");
  }

  /** open shows one of the lists. */
  open(id) {
    this.tab = id;
    for (const t of this.all(".tab")) t.classList.toggle("on", t.id === id);
    for (const t of this.all("#tabs a")) {
      t.classList.toggle("on", t.getAttribute("href") === "#" + id);
      if (t.classList.contains("on")) t.setAttribute("aria-current", "true");
      else t.removeAttribute("aria-current");
    }
    if (id === "errors" && this.form && !this.form.querySelector("output").textContent) this.errors.sift();
  }

  /** print gives every marked error its board on paper. */
  print() {
    const { marks } = this.decisions;
    const errors = marks.map((m, i) => (m === "ok" ? "" : this.decisions.article(i + 1)));
    this.$("print").innerHTML = "<h2>" + this.say("Errors") + "</h2>" + errors.join("");
  }

  /* Ways through the decisions */

  /** wanted are the marks that the reader steps to. */
  wanted() {
    return this.limit.value.split(" ");
  }

  /** seek is the next decision of these marks, of the chosen player, or 0. */
  seek(from, way, kinds) {
    const { marks, seats, total } = this.decisions;
    for (let i = from + way; i >= 1 && i <= total; i += way) {
      if (kinds.includes(marks[i - 1]) && (!this.who.value || this.who.value === seats[i - 1])) return i;
    }
    return 0;
  }

  step(way) {
    this.show(this.now + way);
    this.write("step");
    this.follow();
  }

  error(way, kinds) {
    const n = this.seek(this.now, way, kinds || this.wanted());
    if (!n) return;
    this.show(n);
    this.write("jump");
    this.follow();
  }

  go(n) {
    this.show(n);
    this.write("jump");
    const box = this.$("view").getBoundingClientRect();
    if (box.top < -innerHeight || box.top > innerHeight * 0.6) this.$("view").scrollIntoView();
    this.follow();
  }

  turn(id) {
    this.open(id);
    this.write("filter");
    this.follow();
  }

  /* The address: what is filtered and which list is open follow the decision. */

  /** chosen is what the reader has chosen. */
  chosen() {
    const of = { tab: this.tab, player: { 0: "me", 1: "opponent" }[this.who.value] ?? "", marks: this.limit.value };
    for (const k of this.form ? ErrorList.filters : []) of[k] = this.form.elements[k].value;
    return of;
  }

  address() {
    const q = new URLSearchParams(Object.entries(this.chosen()).filter(([k, v]) => v !== this.usual[k]));
    return "#" + this.decisions.address(this.now) + (q.size ? "&" + q : "");
  }

  /** write puts the address of what is shown into the browser's. A jump can be gone back
      from; of steps one after another only the first. */
  write(way) {
    const to = this.address();
    const step = way === "step";
    const change = way === "jump" || (step && !this.walking) ? "pushState" : "replaceState";
    if (to !== location.hash) history[change](history.state, "", to);
    this.walking = step;
  }

  /** read shows what the address says. */
  read(first) {
    const [, place, rest] = /^#?([^&]*)&?(.*)$/.exec(location.hash);
    const q = new URLSearchParams(rest);
    const set = (select, value) => {
      if ([...select.options].some((o) => o.value === value)) select.value = value;
    };
    const want = (k) => q.get(k) ?? this.usual[k];
    set(this.who, { me: "0", opponent: "1" }[want("player")] ?? "");
    set(this.limit, want("marks"));
    for (const k of this.form ? ErrorList.filters : []) set(this.form.elements[k], want(k));
    this.open(this.all(".tab").some((t) => t.id === want("tab")) ? want("tab") : "sheet");
    const n = this.decisions.find(place);
    if (n && n !== this.now) this.show(n);
    else if (!this.now) this.show(this.seek(0, 1, ["very_bad", "bad"]) || 1);
    else if (!first) this.light();
    if (place && !n && this.decisions.total) {
      const text = this.say("This match has no decision {0}. Another one is shown.", place.slice(0, 20));
      this.card.prepend(Object.assign(document.createElement("p"), { className: "lost", textContent: text }));
    }
    this.errors?.sift();
  }
}

/* Curve is the course of the match; a click on it leads to the decision nearest to it. */
class Curve {
  constructor(svg, go, signal) {
    this.svg = svg;
    this.values = svg.dataset.at.split(" ").map(Number);
    this.left = +svg.dataset.left;
    this.right = +svg.dataset.right;
    const clicked = (e) => {
      if (!e.target.closest("a")) go(this.values[this.indexAt(e.clientX)]);
    };
    svg.addEventListener("click", clicked, { signal });
  }

  /** indexAt is the number of the value nearest to a place in the window. */
  indexAt(clientX) {
    const box = this.svg.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * this.svg.viewBox.baseVal.width;
    const last = this.values.length - 1;
    const i = Math.round(((x - this.left) / (this.right - this.left)) * last);
    return Math.min(last, Math.max(0, i));
  }

  /** point shows where decision n is. */
  point(n) {
    const last = this.values.length - 1;
    let i = this.values.findIndex((v) => v >= n);
    if (i < 0) i = last;
    const x = this.left + (i * (this.right - this.left)) / last;
    const line = this.svg.querySelector(".now");
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
}

/* ErrorList is the list of errors of a review, filtered and sorted. */
class ErrorList {
  static filters = ["kind", "phase", "plan", "size"];

  constructor(of) {
    this.of = of;
    this.form = of.form;
    this.rows = of.all(".errors tbody tr");
    this.form.onchange = () => {
      this.sift();
      of.write("filter");
    };
    this.form.onsubmit = (e) => e.preventDefault();
    for (const th of of.all(".errors th[data-by]")) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: th.textContent });
      th.replaceChildren(button);
      button.onclick = () => this.sort(th);
    }
  }

  /** sift hides the rows that are filtered out. */
  sift() {
    let n = 0;
    for (const r of this.rows) {
      r.hidden = !this.fits(r.dataset);
      r.classList.remove("small");
      if (!r.hidden) n++;
    }
    this.form.querySelector("output").textContent = this.of.say("{0} of {1}", n, this.rows.length);
  }

  /** fits reports whether a row passes the filters; a kind that begins with = is that of a fault. */
  fits(d) {
    const { kind, phase, plan, size } = this.form.elements;
    const who = this.of.who.value;
    if (who && d.player !== who) return false;
    if (kind.value[0] === "=" ? d.fault !== kind.value.slice(1) : kind.value && d.kind !== kind.value) return false;
    if ((phase.value && d.phase !== phase.value) || (plan.value && d.plan !== plan.value)) return false;
    return +d.size >= +size.value;
  }

  /** sort sorts the rows by a column, the other way round if they are sorted by it. */
  sort(th) {
    const { by } = th.dataset;
    const up = th.getAttribute("aria-sort") === "descending" || (by !== "size" && !th.hasAttribute("aria-sort"));
    for (const o of this.of.all(".errors th")) o.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (r) => (by === "step" || by === "size" ? +r.dataset[by] : r.dataset[by]);
    this.rows.sort((a, b) => {
      const x = key(a);
      const y = key(b);
      return (x < y ? -1 : x > y ? 1 : a.dataset.step - b.dataset.step) * (up ? 1 : -1);
    });
    this.of.root.querySelector(".errors tbody").append(...this.rows);
  }
}

/** copyText puts a text on the clipboard, and says so on the button. */
function copyText(value, button) {
  const done = () => {
    button.classList.add("ok");
    setTimeout(() => button.classList.remove("ok"), 900);
  };
  const old = () => {
    const t = document.createElement("textarea");
    t.value = value;
    document.body.append(t);
    t.select();
    if (document.execCommand("copy")) done();
    t.remove();
  };
  if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(value).then(done, old);
  else old();
}

/* The size of boards, that of package diagram. */
const boardWidth = 660;
const boardHeight = 530;

/** arrangeBoard shows a board as the reader likes it: turned has the lower player above, mirrored
    bears off at the left. Names and scores change places and keep their sides. element is that of
    an ID. */
function arrangeBoard(svg, { turned, mirrored, numbers }, element) {
  if (!svg || (!turned && !mirrored && numbers !== "none")) return;
  const across = (x) => (mirrored ? boardWidth - x : +x);
  const down = (y) => (turned ? boardHeight - y : +y);
  const put = (e, x, y) => {
    e.setAttribute("x", x);
    e.setAttribute("y", y);
  };
  // rise is twice what is between base line and middle of a text.
  const putText = (e, x, rise) => {
    const y = e.getAttribute("y");
    put(e, x, turned ? boardHeight - y + rise : y);
  };
  const pairs = (e, name, pair, separator) => {
    const moved = (_, x, y) => across(x) + separator + down(y);
    e.setAttribute(name, e.getAttribute(name).replace(pair, moved));
  };
  for (const e of [...svg.children]) {
    const x = e.getAttribute("x");
    const y = e.getAttribute("y");
    const kind = e.getAttribute("href") ?? e.getAttribute("class") ?? "";
    if (/^#bgb/.test(kind)) {
      const ground = emptyBoard(element(kind.slice(1)), turned, mirrored);
      for (const part of ground.querySelectorAll(":scope > text")) {
        if (numbers === "none") part.remove();
        else putText(part, across(part.getAttribute("x")), 8);
      }
      e.replaceWith(ground);
    } else if (/^#bgx/.test(kind)) put(e, x, down(y));
    else if (e.tagName === "use") put(e, across(x), down(y));
    else if (e.tagName === "polyline") pairs(e, "points", /([^ ,]+),([^ ,]+)/g, ",");
    else if (e.tagName === "path") pairs(e, "d", /(-?\d+) (-?\d+)/g, " ");
    else if (/^bgc/.test(kind)) putText(e, across(x), 12);
    else if (/^bgv/.test(kind)) putText(e, across(x), 14);
    else if (e.tagName === "text") putText(e, x, 10);
  }
  const dice = [...svg.querySelectorAll('use[href^="#bgl"], use[href^="#bgd"]')];
  const places = dice.map((d) => +d.getAttribute("x")).sort((a, b) => a - b);
  dice.forEach((d, i) => d.setAttribute("x", places[i])); // the higher one first, as in words
}

/** emptyBoard is a copy of an empty board with its shapes turned and mirrored, before its numbers. */
function emptyBoard(symbol, turned, mirrored) {
  const ground = symbol.cloneNode(true);
  const shapes = document.createElementNS(symbol.namespaceURI, "g");
  ground.removeAttribute("id");
  const [x, width] = mirrored ? [-1, boardWidth] : [1, 0];
  const [y, height] = turned ? [-1, boardHeight] : [1, 0];
  shapes.setAttribute("transform", "matrix(" + [x, 0, 0, y, width, height] + ")");
  for (const part of [...ground.children]) if (part.tagName !== "text") shapes.append(part);
  ground.prepend(shapes);
  return ground;
}

/** settleBoard shows a position in letters: the point of the bar above, 24 points and the bar of the
    player below, a capital for his checkers; then the checkers borne off, below and above. */
function settleBoard(svg, position, pipsText) {
  const [points, low, high] = position.split(" ");
  const rows = { bgl: [], bgd: [], bgol: [], bgod: [] };
  const pips = [0, 0];
  let counts = "";
  [...points].forEach((c, p) => {
    if (c === "-") return;
    const above = c > "Z";
    const n = c.toLowerCase().charCodeAt(0) - 96;
    const bar = p === 0 || p === 25;
    const { x, y } = stackPlace(p, above);
    const side = above ? "d" : "l";
    const most = Math.min(n, 5);
    for (let k = 0; k < most; k++) rows["bg" + side].push(x + "," + y(k));
    if (n > 5 || (bar && n > 2)) {
      counts += "<text class=bgc" + side + " x=" + x + " y=" + (y(most - 1) + 6) + ">" + n + "</text>";
    }
    pips[+above] += n * (above ? 25 - p : p);
  });
  for (let k = 0; k < +low; k++) rows.bgol.push("626," + (472 - 12 * k));
  for (let k = 0; k < +high; k++) rows.bgod.push("626," + (58 + 12 * k));
  for (const e of svg.querySelectorAll("polyline, .bgcl, .bgcd, .bgm, .bgn, .bgt, .bgs")) e.remove();
  const line = ([c, v]) => (v.length ? "<polyline class=" + c + ' points="' + v.join(" ") + '"></polyline>' : "");
  const markup = Object.entries(rows).map(line).join("") + counts;
  svg.querySelector("use").insertAdjacentHTML("afterend", markup);
  const said = svg.querySelectorAll(".bgp");
  if (said.length !== 2) return;
  pips.forEach((n, i) => {
    said[i].textContent = pipsText(n);
  });
}

/** stackPlace is where the stack of a point is, and the height of its checker k. */
function stackPlace(p, above) {
  if (p === 0 || p === 25) return { x: 330, y: (k) => (above ? 299 + 36 * k : 231 - 36 * k) };
  const lower = p <= 12;
  const column = lower ? 12 - p : p - 13;
  return { x: 88 + 40 * column + (column > 5 ? 44 : 0), y: (k) => (lower ? 461 - 35 * k : 69 + 35 * k) };
}
