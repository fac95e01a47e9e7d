// Who is on the server, in the room Online: the list of players, friends and those ignored.

import { $, _, ask, button, fixed, h, refill, remember, remembered, toast } from "./site.js";
import { inOrder, sortHead, td, tr } from "./tables.js";
import { watchButton } from "./watched.js";

/** @import { LobbyPlayer, LobbyState } from "../api.d.ts" */
/** @import { Run } from "./watched.js" */

/* Friends and ignored players of a server are kept in this browser. */

const most = 500;

/** @param {"friends" | "ignored"} kind
    @returns {string[]} */
function names(kind, server) {
  try {
    return JSON.parse(remembered(`${kind} ${server}`, "[]"));
  } catch {
    return [];
  }
}

export const ignored = (server, name) => names("ignored", server).includes(name);

/** mark puts a player on a list, or takes it off. No one is on both. */
function mark(kind, server, name, on) {
  for (const k of /** @type {const} */ (["friends", "ignored"])) {
    const rest = names(k, server).filter((n) => n !== name);
    if (on && k === kind) rest.push(name);
    remember(`${k} ${server}`, JSON.stringify(rest.slice(-most)));
  }
}

const state = (p) => (p.opponent ? _`plays ${p.opponent}` : p.away ? _`away` : p.ready ? _`ready` : "–");
const rating = (p) => (p.rating === null ? "–" : fixed(p.rating, 1));
const experience = (p) => (p.experience === null ? "–" : String(p.experience));
const idle = (p) =>
  p.idle < 60 ? "–" : p.idle < 3600 ? _`${Math.floor(p.idle / 60)} min` : _`${Math.floor(p.idle / 3600)} h`;

const columns = [
  { key: "name", name: _`Player`, value: (p) => p.name.toLowerCase() },
  { key: "rating", name: _`Rating`, kind: "n", value: (p) => p.rating },
  { key: "experience", name: _`Experience`, kind: "n wide", value: (p) => p.experience },
  { key: "idle", name: _`Idle`, kind: "n wide", value: (p) => p.idle },
  { key: "state", name: _`State`, value: state },
];

/** People is the list. */
export class People {
  /** @param {{ state(): LobbyState, playing(): boolean, command: Run, changed(): void }} room */
  constructor(room) {
    this.room = room;
    this.by = "rating";
    this.down = true;
    this.listed = ""; // the rows shown
    /** @type {LobbyPlayer[]} */
    this.list = [];
    $("find").addEventListener("input", () => this.draw());
  }

  /** show asks who is on the server. */
  async show() {
    if (this.asking) return;
    this.asking = true;
    try {
      this.list = await ask("GET", "/online/players");
      this.draw();
    } catch (err) {
      toast(err.message);
    } finally {
      this.asking = false;
    }
  }

  draw() {
    const st = this.room.state();
    const part = $("find").value.toLowerCase();
    const [friends, away] = [names("friends", st.server), names("ignored", st.server)];
    const found = this.list.filter((p) => p.name.toLowerCase().includes(part));
    const place = (p) => (friends.includes(p.name) ? 0 : away.includes(p.name) ? 2 : 1);
    const { value } = columns.find((c) => c.key === this.by);
    const shown = inOrder(inOrder(found, value, this.down), place, false).slice(0, most);
    const text = JSON.stringify([shown, st.account, st.opens, this.room.playing(), friends, away, this.by, this.down]);
    if (text === this.listed) return;
    this.listed = text;
    refill($("heads"), tr(...columns.map((c) => sortHead(c, this.by, this.down, (key) => this.sortBy(key))), h("td")));
    refill($("players"), ...shown.map((p) => this.row(p, place(p))));
  }

  sortBy(key) {
    this.down = key === this.by ? !this.down : key === "rating" || key === "experience";
    this.by = key;
    this.draw();
  }

  /** @param {LobbyPlayer} p */
  row(p, place) {
    const st = this.room.state();
    const free = p.ready && !p.opponent && p.name !== st.account && !this.room.playing() && place < 2;
    const does = st.opens ? _`Join` : _`Invite`;
    const line = () => (st.opens ? `join ${p.name}` : `invite ${p.name} ${$("length").value}`);
    const name = button(place ? p.name : "★ " + p.name, () => this.look(p), { class: "link", "aria-label": p.name });
    return h(
      "tr",
      { class: place === 2 && "dim" },
      td(name),
      td(rating(p), "n"),
      td(experience(p), "n wide"),
      td(idle(p), "n wide"),
      td(state(p)),
      td(
        [
          free && button(does, () => this.room.command(line()), { "aria-label": `${does}: ${p.name}` }),
          !this.room.playing() && watchButton(p, st.account, this.room.command),
        ].filter(Boolean),
      ),
    );
  }

  /** look shows a player and what may be done about that player.
      @param {LobbyPlayer} p */
  look(p) {
    const st = this.room.state();
    const lists = (kind) => names(kind, st.server).includes(p.name);
    const put = (kind, on) => () => {
      mark(kind, st.server, p.name, on);
      this.draw();
      this.room.changed();
    };
    const raw = (word) => () => this.room.command(`raw ${word} ${p.name}`);
    const write = () => {
      const field = $("say").elements["line"];
      field.value = `/tell ${p.name} `;
      field.focus();
    };
    const me = p.name === st.account;
    const does = [
      !me && !st.opens && [_`Write to this player`, write],
      !me &&
        (lists("friends")
          ? [_`Remove from friends`, put("friends", false)]
          : [_`Add to friends`, put("friends", true)]),
      !me && (lists("ignored") ? [_`Stop ignoring`, put("ignored", false)] : [_`Ignore`, put("ignored", true)]),
      !me && !st.opens && [_`Gag on the server, or end that`, raw("gag")],
      !me && !st.opens && [_`Blind on the server, or end that`, raw("blind")],
    ];
    const facts = [
      _`Rating ${rating(p)}`,
      _`experience ${experience(p)}`,
      p.idle >= 60 && _`idle ${idle(p)}`,
      state(p),
    ];
    $("person-name").textContent = p.name;
    $("person-facts").textContent = facts.filter((f) => f && f !== "–").join(" · ");
    $("person-does").replaceChildren(
      ...does.filter(Boolean).map(([text, fn]) => h("button", { onclick: fn }, text)),
      h("button", { class: "primary" }, _`Close`),
    );
    $("person").showModal();
  }
}
