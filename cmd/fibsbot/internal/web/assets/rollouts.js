// Live rollouts: a list of cards for several pages.

import { $, _, ask, fixed, h, phrase, s, signed, toast } from "./site.js";

const states = () => ({
  queued: _`queued`,
  running: _`running`,
  stopped: _`stopped`,
  done: _`done`,
  failed: _`failed`,
});
const busy = (j) => j.state === "running" || j.state === "queued";

export class Rollouts {
  /** box receives the cards. on.show is called with a rollout to show. on.compare lets the
      user compare two cards. on.only selects the rollouts to list. on.stored is called
      after a rollout was written into its match. */
  constructor(box, on = {}) {
    this.box = box;
    this.on = on;
    this.streams = new Map();
    this.jobs = new Map();
    this.picked = new Set();
    this.waiting = new Map(); // what is called at the end of a rollout
    if (on.compare) {
      this.side = h("div", { class: "compare", "aria-live": "polite" });
      box.before(this.side);
    }
  }

  /** list shows the rollouts of the server. */
  async list() {
    const jobs = (await ask("GET", "/rollouts")).reverse().filter((j) => this.on.only?.(j) ?? true);
    for (const j of jobs) {
      this.shown(j);
      if (busy(j) && !this.streams.has(j.id)) this.follow(j.id);
    }
  }

  /** start begins a rollout and follows it. */
  async start(request) {
    const { id } = await ask("POST", "/rollouts", request);
    this.follow(id);
    return id;
  }

  /** end waits until a rollout has ended, and returns it. */
  end(id) {
    return new Promise((done) => this.waiting.set(id, done));
  }

  follow(id) {
    const source = new EventSource(`/api/v1/rollouts/${id}/events`);
    const over = () => {
      source.close();
      this.streams.delete(id);
      this.waiting.get(id)?.(this.jobs.get(id));
      this.waiting.delete(id);
    };
    this.streams.set(id, source);
    source.addEventListener("job", (e) => {
      const j = JSON.parse(e.data);
      this.shown(j);
      if (!busy(j)) over();
    });
    source.onerror = () => {
      const j = this.jobs.get(id);
      if (j && busy(j)) this.shown({ ...j, state: "stopped", lost: true });
      over();
    };
  }

  /** again reconnects a card whose stream was lost. */
  async again(id) {
    const j = await ask("GET", "/rollouts/" + id);
    this.shown(j);
    if (busy(j)) this.follow(id);
  }

  button(text, fn) {
    return h(
      "button",
      {
        type: "button",
        onclick: async () => {
          try {
            await fn();
          } catch (err) {
            toast(err.message);
          }
        },
      },
      text,
    );
  }

  buttons(j) {
    if (j.lost) {
      return [
        h("span", { class: "error" }, _`fibsbot does not answer (is it still running?)`),
        this.button(_`Try again`, () => this.again(j.id)),
      ];
    }
    if (busy(j)) return [this.button(_`Stop`, async () => this.shown(await ask("DELETE", "/rollouts/" + j.id)))];
    const more = j.done < j.total;
    return [
      j.unsaved
        ? this.button(_`Save in the match`, async () => this.shown(await ask("POST", `/rollouts/${j.id}/save`, {})))
        : null,
      this.button(more ? _`Continue` : _`Double the trials`, async () => {
        await ask("POST", `/rollouts/${j.id}/continue`, { trials: more ? j.total : 2 * j.total });
        this.follow(j.id);
      }),
      this.on.show ? this.button(_`Show`, () => this.on.show(j.rollout)) : null,
      this.button(_`Remove`, async () => {
        await ask("DELETE", "/rollouts/" + j.id);
        $("r" + j.id)?.remove();
        this.jobs.delete(j.id);
        this.picked.delete(j.id);
        this.compare();
      }),
      this.on.compare ? h("label", { class: "check" }, this.box1(j), _`compare`) : null,
    ].filter(Boolean);
  }

  box1(j) {
    return h("input", {
      type: "checkbox",
      checked: this.picked.has(j.id),
      onchange: (e) => {
        if (e.target.checked) this.picked.add(j.id);
        else this.picked.delete(j.id);
        this.compare();
      },
    });
  }

  shown(j) {
    const before = this.jobs.get(j.id);
    this.jobs.set(j.id, j);
    if (before && j.stored && j.stored !== before.stored) this.on.stored?.(j);
    if (!(this.on.only?.(j) ?? true)) return;
    const r = j.rollout;
    const best = Math.max(...r.arms.map((a) => a.equity));
    const part = j.total ? Math.min(1, j.done / j.total) : 0;
    const bar = h("progress", { class: "hidden", max: 1, value: part, "aria-label": _`Trials` });
    const card = h(
      "article",
      { id: "r" + j.id, class: "card" },
      h(
        "div",
        { class: "row spread" },
        h("strong", {}, title(r)),
        h(
          "span",
          { class: "dim" },
          _`${states()[j.state] ?? j.state}, ${j.done} of ${j.total} · ${fixed(j.seconds, 1)} s · ${r.preset}`,
        ),
      ),
      h("p", { class: "ids dim" }, r.xgid),
      bar,
      line(part),
      armsTable(r, best),
      j.error ? h("p", { class: "error" }, j.error) : "",
      j.stored ? h("p", { class: "dim" }, _`Saved in the match with ${j.stored} trials.`) : "",
      j.unsaved
        ? h(
            "p",
            { class: "dim" },
            {
              stopped: _`Not saved in the match: it was stopped.`,
              weaker: _`Not saved in the match: it is weaker than the analysis.`,
            }[j.unsaved] ?? _`Not saved in the match: it changes the verdict by less than two standard errors.`,
          )
        : "",
      h("div", { class: "row" }, ...this.buttons(j)),
    );
    const old = $("r" + j.id);
    const focused = old?.contains(document.activeElement) ? document.activeElement.textContent : null;
    if (old) old.replaceWith(card);
    else this.box.prepend(card);
    if (focused) {
      (
        [...card.querySelectorAll("button")].find((b) => b.textContent === focused) ?? card.querySelector("button")
      )?.focus();
    }
    if (this.picked.has(j.id)) this.compare();
  }

  /** compare shows the ticked rollouts side by side. */
  compare() {
    if (!this.side) return;
    const jobs = [...this.picked].map((id) => this.jobs.get(id)).filter(Boolean);
    if (jobs.length < 2) {
      this.side.replaceChildren();
      return;
    }
    const names = [...new Set(jobs.flatMap((j) => j.rollout.arms.map((a) => a.name)))];
    const same = jobs.every((j) => j.rollout.xgid === jobs[0].rollout.xgid);
    const arm = (j, name) => j.rollout.arms.find((a) => a.name === name && a.trials);
    const differ = (name) => {
      const [x, y] = [arm(jobs[0], name), arm(jobs[1], name)];
      if (!x || !y) return "";
      const d = y.equity - x.equity;
      if (x.equity_stderr === null || y.equity_stderr === null) return signed(d, 4);
      const se = Math.hypot(x.equity_stderr, y.equity_stderr);
      return `${signed(d, 4)} ± ${fixed(se, 4)}${se > 0 ? _`, ${fixed(Math.abs(d) / se, 1)} JSD` : ""}`;
    };
    this.side.replaceChildren(
      h(
        "article",
        { class: "card" },
        h("strong", {}, _`Compared`),
        same ? "" : h("p", { class: "dim" }, _`These positions or scores differ.`),
        h(
          "div",
          { class: "wide", tabindex: 0, role: "region", "aria-label": _`Rollouts compared` },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", {}, _`Play or action`),
                ...jobs.map((j) =>
                  h(
                    "th",
                    { class: "n" },
                    _`${j.rollout.preset}, ${j.done} trials` +
                      `${j.rollout.truncate ? _`, ${j.rollout.truncate} plies` : ""}`,
                  ),
                ),
                h("th", { class: "n" }, jobs.length === 2 ? _`Difference` : ""),
              ),
            ),
            h(
              "tbody",
              {},
              ...names.map((n) =>
                h(
                  "tr",
                  {},
                  h("td", {}, phrase(n)),
                  ...jobs.map((j) =>
                    h("td", { class: "n" }, arm(j, n) ? `${signed(arm(j, n).equity, 4)} ${plusMinus(arm(j, n))}` : "–"),
                  ),
                  h("td", { class: "n dim" }, jobs.length === 2 ? differ(n) : ""),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }
}

function title(r) {
  return r.dice.length ? _`Plays of ${r.dice.join("-")}` : r.cube ? phrase(r.words) : _`Cube`;
}

/** plusMinus is the standard error of an arm's equity, empty below two trials. */
const plusMinus = (a) => (a.equity_stderr === null ? "" : "± " + fixed(a.equity_stderr, 4));

function armsTable(r, best) {
  const arm = (a) =>
    h(
      "tr",
      {},
      h("td", {}, phrase(a.name), a.stopped ? h("small", { class: "dim" }, _` stopped early`) : ""),
      h("td", { class: "n" }, a.trials ? signed(a.equity, 4) : "…"),
      h("td", { class: "n dim" }, plusMinus(a)),
      h("td", { class: "n" }, a.trials && a.equity < best ? (a.jsd > 99 ? "> 99" : fixed(a.jsd, 1)) : ""),
      h("td", { class: "n dim" }, String(a.trials)),
    );
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", {}, _`Play or action`),
        h("th", { class: "n" }, _`Equity`),
        h("th", { class: "n" }, _`SE`),
        h("th", { class: "n" }, _`JSD`),
        h("th", { class: "n" }, _`Trials`),
      ),
    ),
    h("tbody", {}, ...[...r.arms].sort((a, b) => b.equity - a.equity).map(arm)),
  );
}

/** line is a bar of progress, drawn, since style attributes are not allowed. */
function line(part) {
  return s(
    "svg",
    { class: "bar", viewBox: "0 0 100 2", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...[100, 100 * part].map((width) => s("rect", { width, height: 2 })),
  );
}
