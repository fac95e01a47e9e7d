/* review makes the report under root, a document or a shadow tree, one to step through.
   options.signal ends it; options.shown is called with each decision that it shows;
   options.view returns how boards look: turned, mirrored, numbers; options.texts are those of
   another language. It returns a function that draws the board again. */
const review = (root, options) => {
  "use strict";
  const { signal, shown, view, texts } = options ?? {};
  const say = (key, ...values) => (texts?.[key] ?? key).replace(/\{(\d)\}/g, (_, i) => values[i]);
  const $ = (id) => root.getElementById(id);
  const all = (what) => [...root.querySelectorAll(what)];
  // The decisions wait as text in the part for readers without scripts: nothing of it is
  // built, or even searched, before it is looked at. The mark of each, a letter, is apart,
  // a capital for the player at the top; so are the numbers of the decisions by game.
  const text = $("all").textContent;
  const names = { v: "very_bad", b: "bad", d: "doubtful", o: "ok" };
  const letters = $("all").dataset.marks;
  const marks = [...letters].map((c) => names[c.toLowerCase()]);
  const seats = [...letters].map((c) => (c === c.toLowerCase() ? "0" : "1"));
  const places = letters
    ? $("all")
        .dataset.places.split(";")
        .flatMap((g, i) => (g ? g.split(",").map((m) => [i + 1, +m]) : []))
    : [];
  const total = marks.length;
  const article = (n) => {
    const from = text.indexOf("<article id=d" + n + " ");
    const to = text.indexOf("<article id=d", from + 1);
    return text.slice(from, to < 0 ? text.length : to);
  };
  const card = $("card");
  const limit = $("lim");
  const who = $("who");
  const form = $("filter");
  const curve = root.querySelector(".curve");
  let now = 0;
  let tab = "sheet";
  let walking = false;
  let lit = [];

  const wanted = () => limit.value.split(" ");
  const seek = (from, way, kinds) => {
    for (let i = from + way; i >= 1 && i <= total; i += way) {
      if (kinds.includes(marks[i - 1]) && (!who.value || who.value === seats[i - 1])) return i;
    }
    return 0;
  };

  /* The address: #g2m14 is decision 14 of game 2, as reports number them; what is filtered
     and which list is open follow it. */
  const at = (n) => (n ? "g" + places[n - 1][0] + "m" + places[n - 1][1] : "");
  const find = (place) => {
    const old = /^d(\d+)$/.exec(place);
    if (old) return +old[1] <= total ? +old[1] : 0;
    const [, game, number] = /^g(\d+)m(\d+)$/.exec(place) ?? [];
    // An obvious decision not to double is shown with the roll after it.
    return places.findIndex((p) => p[0] === +game && p[1] >= +number) + 1;
  };
  const usual = {
    tab: "sheet",
    player: "",
    marks: limit.options[0].value,
    kind: "",
    phase: "",
    plan: "",
    size: form?.elements.size.value,
  };
  const chosen = () => ({
    tab,
    player: { 0: "me", 1: "opponent" }[who.value] ?? "",
    marks: limit.value,
    ...(form && Object.fromEntries(["kind", "phase", "plan", "size"].map((k) => [k, form.elements[k].value]))),
  });
  function address() {
    const q = new URLSearchParams(Object.entries(chosen()).filter(([k, v]) => v !== usual[k]));
    return "#" + at(now) + (q.size ? "&" + q : "");
  }
  /** write puts the address of what is shown into the browser's. A jump can be gone back
      from; of steps one after another only the first. */
  function write(way) {
    const to = address();
    const step = way === "step";
    if (to !== location.hash) {
      history[way === "jump" || (step && !walking) ? "pushState" : "replaceState"](history.state, "", to);
    }
    walking = step;
  }
  /** read shows what the address says. */
  function read(first) {
    const [, place, rest] = /^#?([^&]*)&?(.*)$/.exec(location.hash);
    const q = new URLSearchParams(rest);
    const set = (select, value) => {
      if ([...select.options].some((o) => o.value === value)) select.value = value;
    };
    const want = (k) => q.get(k) ?? usual[k];
    set(who, { me: "0", opponent: "1" }[want("player")] ?? "");
    set(limit, want("marks"));
    if (form) for (const k of ["kind", "phase", "plan", "size"]) set(form.elements[k], want(k));
    open(all(".tab").some((t) => t.id === want("tab")) ? want("tab") : "sheet");
    const n = find(place);
    if (n && n !== now) show(n);
    else if (!now) show(seek(0, 1, ["very_bad", "bad"]) || 1);
    else if (!first) light();
    if (place && !n && total) {
      card.prepend(
        Object.assign(document.createElement("p"), {
          className: "lost",
          textContent: say("This match has no decision {0}. Another one is shown.", place.slice(0, 20)),
        }),
      );
    }
    if (form) sift();
  }

  function show(n) {
    if (!total) return;
    n = Math.min(total, Math.max(1, n));
    now = n;
    card.innerHTML = article(n).replace("<article id=d" + n, "<article"); // the address must not scroll to it
    for (const c of card.querySelectorAll(".ids code")) {
      const b = document.createElement("button");
      const name = ["XGID", "OGID"].find((k) => c.textContent.startsWith(k + "=")) || say("Position and Match ID");
      b.className = "cp";
      b.type = "button";
      b.textContent = say("Copy {0}", name);
      b.onclick = () => copy(c.textContent, b);
      c.replaceWith(b);
      b.title = c.textContent;
    }
    results();
    light();
    point(n);
    stick();
    shown?.({ game: places[n - 1][0], number: places[n - 1][1] });
  }

  /** light shows where the decision is: in the bar and in the sheet. */
  function light() {
    $("where").textContent = say("{0} of {1}", now, total);
    $("pv").disabled = now === 1;
    $("nx").disabled = now === total;
    $("pe").disabled = !seek(now, -1, wanted());
    $("ne").disabled = !seek(now, 1, wanted());
    for (const a of lit) a.classList.remove("on");
    lit = all('.sheet a[href="#d' + now + '"]');
    for (const a of lit) a.classList.add("on");
  }

  // The page moves so that the play in hand is in sight beside the board.
  function follow() {
    requestAnimationFrame(() => {
      // to ask where things are before the layout would lay out twice
      if (!lit.length || tab !== "sheet" || !matchMedia("(min-width:64rem)").matches) return;
      const box = lit[0].getBoundingClientRect();
      if (box.top < 90 || box.bottom > innerHeight - 20) scrollBy(0, box.top - innerHeight / 2);
    });
  }

  // Where the decision is higher than the window, it stays with its lower end in sight.
  function stick() {
    const view = $("view");
    view.style.setProperty("--stay", Math.min(0, innerHeight - view.offsetHeight - 80) + "px");
  }
  if (window.ResizeObserver) {
    const seen = new ResizeObserver(stick);
    seen.observe($("view"));
    signal?.addEventListener("abort", () => seen.disconnect());
  }
  addEventListener("resize", stick, { signal });

  function copy(value, button) {
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

  /* The position after a play, while its row is touched, pointed at or has the focus. The
     row has it in letters: the point of the bar above, 24 points and the bar of the player
     below, a capital for his checkers; then the checkers borne off, below and above. The
     sizes are those of package diagram. */
  function results() {
    const svg = card.querySelector(".bgb");
    const before = svg?.innerHTML;
    arrange(svg);
    for (const row of card.querySelectorAll("[data-to]")) {
      const on = () => {
        svg.innerHTML = before;
        settle(svg, row.dataset.to);
        arrange(svg);
        row.classList.add("seen");
      };
      const off = () => {
        svg.innerHTML = before;
        arrange(svg);
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
  /* The board as the reader likes it: turned has the lower player above, mirrored bears off
     at the left. Names and scores change places and keep their sides. */
  function arrange(svg) {
    const { turned, mirrored, numbers } = view?.() ?? {};
    if (!svg || (!turned && !mirrored && numbers !== "none")) return;
    const X = (x) => (mirrored ? 660 - x : +x);
    const Y = (y) => (turned ? 530 - y : +y);
    const put = (e, x, y) => {
      e.setAttribute("x", x);
      e.setAttribute("y", y);
    };
    const text = (e, x, rise) => put(e, x, turned ? 530 - e.getAttribute("y") + rise : e.getAttribute("y")); // rise: between base line and middle, twice
    for (const e of [...svg.children]) {
      const x = e.getAttribute("x");
      const y = e.getAttribute("y");
      const kind = e.getAttribute("href") ?? e.getAttribute("class") ?? "";
      if (/^#bgb/.test(kind)) {
        // the empty board, with its numbers
        const ground = $(kind.slice(1)).cloneNode(true);
        const shapes = document.createElementNS(svg.namespaceURI, "g");
        ground.removeAttribute("id");
        shapes.setAttribute(
          "transform",
          "matrix(" +
            (mirrored ? "-1" : "1") +
            ",0,0," +
            (turned ? "-1" : "1") +
            "," +
            (mirrored ? 660 : 0) +
            "," +
            (turned ? 530 : 0) +
            ")",
        );
        for (const part of [...ground.children]) {
          if (part.tagName !== "text") shapes.append(part);
          else if (numbers === "none") part.remove();
          else text(part, X(part.getAttribute("x")), 8);
        }
        ground.prepend(shapes);
        e.replaceWith(ground);
      } else if (/^#bgx/.test(kind)) put(e, x, Y(y));
      else if (e.tagName === "use") put(e, X(x), Y(y));
      else if (e.tagName === "polyline") {
        e.setAttribute(
          "points",
          e
            .getAttribute("points")
            .split(" ")
            .map((p) => {
              const [a, b] = p.split(",");
              return X(a) + "," + Y(b);
            })
            .join(" "),
        );
      } else if (e.tagName === "path") {
        e.setAttribute(
          "d",
          e.getAttribute("d").replace(/(-?\d+) (-?\d+)/g, (_, a, b) => X(a) + " " + Y(b)),
        );
      } else if (/^bgc/.test(kind)) text(e, X(x), 12);
      else if (/^bgv/.test(kind)) text(e, X(x), 14);
      else if (e.tagName === "text") text(e, x, 10);
    }
    const dice = [...svg.querySelectorAll('use[href^="#bgl"], use[href^="#bgd"]')];
    const at = dice.map((d) => +d.getAttribute("x")).sort((a, b) => a - b);
    dice.forEach((d, i) => d.setAttribute("x", at[i])); // the higher one first, as in words
  }
  function settle(svg, to) {
    const [points, low, high] = to.split(" ");
    const rows = { bgl: [], bgd: [], bgol: [], bgod: [] };
    const pips = [0, 0];
    let counts = "";
    [...points].forEach((c, p) => {
      if (c === "-") return;
      const above = c > "Z";
      const n = c.toLowerCase().charCodeAt(0) - 96;
      const lower = p <= 12;
      const bar = p === 0 || p === 25;
      const column = lower ? 12 - p : p - 13;
      const x = bar ? 330 : 88 + 40 * column + (column > 5 ? 44 : 0);
      const y = (k) => (bar ? (above ? 299 + 36 * k : 231 - 36 * k) : lower ? 461 - 35 * k : 69 + 35 * k);
      const s = above ? "d" : "l";
      const most = Math.min(n, 5);
      for (let k = 0; k < most; k++) rows["bg" + s].push(x + "," + y(k));
      if (n > 5 || (bar && n > 2)) {
        counts += "<text class=bgc" + s + " x=" + x + " y=" + (y(most - 1) + 6) + ">" + n + "</text>";
      }
      pips[+above] += n * (above ? 25 - p : p);
    });
    for (let k = 0; k < +low; k++) rows.bgol.push("626," + (472 - 12 * k));
    for (let k = 0; k < +high; k++) rows.bgod.push("626," + (58 + 12 * k));
    for (const e of svg.querySelectorAll("polyline, .bgcl, .bgcd, .bgm, .bgn, .bgt, .bgs")) e.remove();
    svg.querySelector("use").insertAdjacentHTML(
      "afterend",
      Object.entries(rows)
        .map(([c, v]) => (v.length ? "<polyline class=" + c + ' points="' + v.join(" ") + '"></polyline>' : ""))
        .join("") + counts,
    );
    const said = svg.querySelectorAll(".bgp");
    if (said.length === 2) {
      pips.forEach((n, i) => {
        said[i].textContent = say("{0} pips", n);
      });
    }
  }

  // The curve: a click leads to the decision nearest to it.
  const values = curve ? curve.dataset.at.split(" ").map(Number) : [];
  const left = curve ? +curve.dataset.left : 0;
  const right = curve ? +curve.dataset.right : 0;
  function point(n) {
    if (!curve) return;
    let i = values.findIndex((v) => v >= n);
    if (i < 0) i = values.length - 1;
    const x = left + (i * (right - left)) / (values.length - 1);
    const line = curve.querySelector(".now");
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
  curve?.addEventListener(
    "click",
    (e) => {
      if (e.target.closest("a")) return;
      const box = curve.getBoundingClientRect();
      const x = ((e.clientX - box.left) / box.width) * curve.viewBox.baseVal.width;
      const i = Math.round(((x - left) / (right - left)) * (values.length - 1));
      go(values[Math.min(values.length - 1, Math.max(0, i))]);
    },
    { signal },
  );

  function go(n) {
    show(n);
    write("jump");
    const box = $("view").getBoundingClientRect();
    if (box.top < -innerHeight || box.top > innerHeight * 0.6) $("view").scrollIntoView();
  }
  const step = (way) => {
    show(now + way);
    write("step");
    follow();
  };
  const error = (way, kinds) => {
    const n = seek(now, way, kinds || wanted());
    if (!n) return;
    show(n);
    write("jump");
    follow();
  };
  $("pv").onclick = () => step(-1);
  $("nx").onclick = () => step(1);
  $("pe").onclick = () => error(-1);
  $("ne").onclick = () => error(1);
  limit.onchange = who.onchange = () => {
    light();
    if (form) sift();
    write("filter");
  };

  root.addEventListener(
    "click",
    (e) => {
      const a = e.target.closest('a[href^="#"]');
      if (!a || e.ctrlKey || e.metaKey) return;
      const to = a.getAttribute("href").slice(1);
      const n = /^d(\d+)$/.exec(to);
      if (n) {
        e.preventDefault();
        go(+n[1]);
      } else if (a.closest("#tabs")) {
        e.preventDefault();
        open(to);
        write("filter");
      }
    },
    { signal },
  );
  function open(id) {
    tab = id;
    for (const t of all(".tab")) t.classList.toggle("on", t.id === id);
    for (const t of all("#tabs a")) {
      t.classList.toggle("on", t.getAttribute("href") === "#" + id);
      if (t.classList.contains("on")) t.setAttribute("aria-current", "true");
      else t.removeAttribute("aria-current");
    }
    if (id === "errors" && form && !form.querySelector("output").textContent) sift();
  }
  const turn = (id) => {
    open(id);
    write("filter");
    follow();
  };

  const keys = {
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    l: () => step(1),
    h: () => step(-1),
    e: () => error(1),
    n: () => error(1),
    p: () => error(-1),
    E: () => error(-1),
    b: () => error(1, ["very_bad"]),
    B: () => error(-1, ["very_bad"]),
    Home: () => step(1 - now),
    End: () => step(total - now),
    g: () => turn("sheet"),
    x: () => turn("errors"),
    s: () => turn("stats"),
    r: () => turn("rolls"),
  };
  document.addEventListener(
    "keydown",
    (e) => {
      if (
        e.ctrlKey ||
        e.metaKey ||
        e.altKey ||
        /^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (e.composedPath()[0]).tagName) ||
        document.querySelector("dialog[open]")
      ) {
        return;
      }
      const f = keys[e.key];
      if (f && total) {
        e.preventDefault();
        f();
      }
    },
    { signal },
  );

  // A finger across the board: left for the next decision, right for the one before.
  let touch = null;
  card.addEventListener(
    "touchstart",
    (e) => {
      touch = e.touches.length === 1 ? e.touches[0] : null;
    },
    { passive: true },
  );
  card.addEventListener(
    "touchend",
    (e) => {
      if (!touch) return;
      const t = e.changedTouches[0];
      const dx = t.clientX - touch.clientX;
      const dy = t.clientY - touch.clientY;
      touch = null;
      if (Math.abs(dx) > 45 && Math.abs(dx) > 2 * Math.abs(dy)) step(dx < 0 ? 1 : -1);
    },
    { passive: true },
  );

  // The list of errors.
  const rows = all(".errors tbody tr");
  function sift() {
    const f = form.elements;
    const kind = f.kind.value;
    let n = 0;
    for (const r of rows) {
      const d = r.dataset;
      const ok =
        (!who.value || d.player === who.value) &&
        (!kind || (kind[0] === "=" ? d.fault === kind.slice(1) : d.kind === kind)) &&
        (!f.phase.value || d.phase === f.phase.value) &&
        (!f.plan.value || d.plan === f.plan.value) &&
        +d.size >= +f.size.value;
      r.hidden = !ok;
      r.classList.remove("small");
      if (ok) n++;
    }
    form.querySelector("output").textContent = say("{0} of {1}", n, rows.length);
  }
  if (form) {
    form.onchange = () => {
      sift();
      write("filter");
    };
    form.onsubmit = (e) => e.preventDefault();
    for (const th of all(".errors th[data-by]")) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: th.textContent });
      th.replaceChildren(button);
      button.onclick = () => {
        const by = th.dataset.by;
        const up = th.getAttribute("aria-sort") === "descending" || (by !== "size" && !th.hasAttribute("aria-sort"));
        for (const o of all(".errors th")) o.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", up ? "ascending" : "descending");
        const key = (r) => (by === "step" || by === "size" ? +r.dataset[by] : r.dataset[by]);
        rows.sort((a, b) => {
          const x = key(a);
          const y = key(b);
          return (x < y ? -1 : x > y ? 1 : a.dataset.step - b.dataset.step) * (up ? 1 : -1);
        });
        root.querySelector(".errors tbody").append(...rows);
      };
    }
  }

  // On paper every marked error has its board.
  addEventListener(
    "beforeprint",
    () => {
      $("print").innerHTML =
        "<h2>" + say("Errors") + "</h2>" + marks.map((m, i) => (m === "ok" ? "" : article(i + 1))).join("");
    },
    { signal },
  );
  addEventListener(
    "afterprint",
    () => {
      $("print").textContent = "";
    },
    { signal },
  );
  for (const event of ["popstate", "hashchange"]) {
    addEventListener(
      event,
      () => {
        if (location.hash === address()) return;
        read();
        follow();
      },
      { signal },
    );
  }

  read(true);
  if (location.hash || shown) write("load");
  follow();
  return () => show(now);
};
