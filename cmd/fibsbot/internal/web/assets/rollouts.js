// Live rollouts: a list of cards for several pages.

import { $, _, ask, below, fixed, h, phrase, s, signed, toast } from "./site.js";
import { headed, td, tr } from "./tables.js";

/** @import { Job, ReportDocument, Rollout, RolloutResult } from "../api.d.ts" */

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
    const source = new EventSource(below(`/api/v1/rollouts/${id}/events`));
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
    const onclick = async () => {
      try {
        await fn();
      } catch (err) {
        toast(err.message);
      }
    };
    return h("button", { type: "button", onclick }, text);
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
    const save = async () => this.shown(await ask("POST", `/rollouts/${j.id}/save`, {}));
    const go = async () => {
      await ask("POST", `/rollouts/${j.id}/continue`, { trials: more ? j.total : 2 * j.total });
      this.follow(j.id);
    };
    return [
      j.unsaved && this.button(_`Save in the match`, save),
      this.button(more ? _`Continue` : _`Double the trials`, go),
      this.on.show && this.button(_`Show`, () => this.on.show(j.rollout)),
      this.button(_`Remove`, () => this.remove(j)),
      this.on.compare && h("label", { class: "check" }, this.tick(j), _`compare`),
    ].filter(Boolean);
  }

  async remove(j) {
    await ask("DELETE", "/rollouts/" + j.id);
    $("r" + j.id)?.remove();
    this.jobs.delete(j.id);
    this.picked.delete(j.id);
    this.compare();
  }

  /** tick is the box that chooses a rollout to compare. */
  tick(j) {
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

  /** shown puts the card of a rollout in its place.
      @param {Job} j */
  shown(j) {
    const before = this.jobs.get(j.id);
    this.jobs.set(j.id, j);
    if (before && j.stored && j.stored !== before.stored) this.on.stored?.(j);
    if (!(this.on.only?.(j) ?? true)) return;
    const card = cardOf(j, this.buttons(j));
    const old = $("r" + j.id);
    const focused = old?.contains(document.activeElement) ? document.activeElement.textContent : null;
    if (old) old.replaceWith(card);
    else this.box.prepend(card);
    if (focused) {
      const buttons = [...card.querySelectorAll("button")];
      (buttons.find((b) => b.textContent === focused) ?? buttons[0])?.focus();
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
    const same = jobs.every((j) => j.rollout.xgid === jobs[0].rollout.xgid);
    const region = { class: "wide", tabindex: 0, role: "region", "aria-label": _`Rollouts compared` };
    this.side.replaceChildren(
      h(
        "article",
        { class: "card" },
        h("strong", {}, _`Compared`),
        same ? "" : h("p", { class: "dim" }, _`These positions or scores differ.`),
        h("div", region, comparedTable(jobs)),
      ),
    );
  }
}

/** decisionsOf are the decisions of a review by their place: 2.14.
    @param {ReportDocument} doc
    @returns {Map<string, any>} */
export const decisionsOf = ({ games, players }) =>
  new Map(
    games.flatMap((g) =>
      g.decisions.map((d) => [
        `${g.number + 1}.${d.number}`,
        { ...d, game: g.number, name: players[d.player]?.name ?? "" },
      ]),
    ),
  );

/** dueErrors are the errors of a player, from the mark "doubtful" on, that no rollout judged. */
export const dueErrors = (match, player, decisions) =>
  [...decisions]
    .filter(([, d]) => d.name === player && d.mark && d.kind !== "resign" && !d.depth?.startsWith("rollout"))
    .map(([decision]) => ({ match, decision }));

/** rollErrors makes a button roll decisions out, one after another, and stop. due lists them, live
    follows the rollouts, and strength says how they are made. */
export function rollErrors(button, live, strength, due) {
  const words = button.textContent;
  let rolling = ""; // the rollout that runs
  button.addEventListener("click", async () => {
    if (rolling) {
      const id = rolling;
      rolling = "";
      return ask("DELETE", "/rollouts/" + id).catch((err) => toast(err.message));
    }
    const how = strength();
    let n = 0;
    try {
      const list = await due();
      if (!list.length) return toast(_`There are no errors to roll out.`);
      for (const of of list) {
        button.textContent = _`Stop (${n} of ${list.length} rolled out)`;
        rolling = await live.start({ ...of, ...how });
        await live.end(rolling);
        if (!rolling) break;
        n++;
      }
    } catch (err) {
      toast(err.message);
    }
    rolling = "";
    button.textContent = words;
  });
}

/** title names what was rolled out.
    @param {Rollout} r */
function title(r) {
  if (r.dice.length) return _`Plays of ${r.dice.join("-")}`;
  return r.cube ? phrase(r.words) : _`Cube`;
}

/** cardOf is the card of a rollout.
    @param {Job} j */
function cardOf(j, buttons) {
  const r = j.rollout;
  const part = j.total ? Math.min(1, j.done / j.total) : 0;
  const state = states()[j.state] ?? j.state;
  const by = phrase(r.preset);
  return h(
    "article",
    { id: "r" + j.id, class: "card" },
    h(
      "div",
      { class: "row spread" },
      h("strong", {}, title(r)),
      h("span", { class: "dim" }, _`${state}, ${j.done} of ${j.total} · ${fixed(j.seconds, 1)} s · ${by}`),
    ),
    h("p", { class: "ids dim" }, r.xgid),
    h("progress", { class: "hidden", max: 1, value: part, "aria-label": _`Trials` }),
    line(part),
    armsTable(r),
    j.error ? h("p", { class: "error" }, j.error) : "",
    j.stored ? h("p", { class: "dim" }, _`Saved in the match with ${j.stored} trials.`) : "",
    j.unsaved ? h("p", { class: "dim" }, whyUnsaved(j.unsaved)) : "",
    h("div", { class: "row" }, ...buttons),
  );
}

/** whyUnsaved says why a rollout was not written into its match. */
function whyUnsaved(reason) {
  switch (reason) {
    case "stopped":
      return _`Not saved in the match: it was stopped.`;
    case "weaker":
      return _`Not saved in the match: it is weaker than the analysis.`;
    default:
      return _`Not saved in the match: it changes the verdict by less than two standard errors.`;
  }
}

/** plusMinus is the standard error of an arm's equity, empty below two trials. */
const plusMinus = (a) => (a.equity_stderr === null ? "" : "± " + fixed(a.equity_stderr, 4));

/** armsTable has a row for each play or action, the best first.
    @param {Rollout} r */
function armsTable(r) {
  const best = Math.max(...r.arms.map((a) => a.equity));
  const jsd = (a) => (a.jsd > 99 ? "> 99" : fixed(a.jsd, 1));
  const row = (a) =>
    tr(
      td([phrase(a.name), a.stopped && h("small", { class: "dim" }, _` stopped early`)]),
      td(a.trials ? signed(a.equity, 4) : "…", "n"),
      td(plusMinus(a), "n dim"),
      td(a.trials && a.equity < best ? jsd(a) : "", "n"),
      td(String(a.trials), "n dim"),
    );
  const heads = [_`Play or action`, [_`Equity`, "n"], [_`SE`, "n"], [_`JSD`, "n"], [_`Trials`, "n"]];
  return headed(heads, [...r.arms].sort((a, b) => b.equity - a.equity).map(row));
}

/** comparedTable has a column for each rollout; for two, also their differences.
    @param {Job[]} jobs */
function comparedTable(jobs) {
  const two = jobs.length === 2;
  const names = [...new Set(jobs.flatMap((j) => j.rollout.arms.map((a) => a.name)))];
  const rows = names.map((name) => {
    const arms = jobs.map((j) => j.rollout.arms.find((a) => a.name === name && a.trials));
    const cells = arms.map((a) => td(a ? `${signed(a.equity, 4)} ${plusMinus(a)}` : "–", "n"));
    return tr(td(phrase(name)), ...cells, td(two ? difference(arms[0], arms[1]) : "", "n dim"));
  });
  /** @param {Job} j */
  const about = ({ done, rollout }) =>
    _`${phrase(rollout.preset)}, ${done} trials` + (rollout.truncate ? _`, ${rollout.truncate} plies` : "");
  return headed([_`Play or action`, ...jobs.map((j) => [about(j), "n"]), [two ? _`Difference` : "", "n"]], rows);
}

/** difference is how much more the second of two arms is worth, empty if one is missing.
    @param {RolloutResult} [x]
    @param {RolloutResult} [y] */
export function difference(x, y) {
  if (!x || !y) return "";
  const d = y.equity - x.equity;
  if (x.equity_stderr === null || y.equity_stderr === null) return signed(d, 4);
  const error = Math.hypot(x.equity_stderr, y.equity_stderr);
  return `${signed(d, 4)} ± ${fixed(error, 4)}${error > 0 ? _`, ${fixed(Math.abs(d) / error, 1)} JSD` : ""}`;
}

/** line is a bar of progress, drawn, since style attributes are not allowed. */
function line(part) {
  return s(
    "svg",
    { class: "bar", viewBox: "0 0 100 2", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...[100, 100 * part].map((width) => s("rect", { width, height: 2 })),
  );
}
