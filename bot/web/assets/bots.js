// What a running bot does. There is nothing to press: this room only looks.

import { ask, h } from "./site.js";
import { Board } from "./board.js";

const $ = (id) => document.getElementById(id);
const cards = new Map(); // by account

function cardOf(name) {
  let c = cards.get(name);
  if (!c) {
    const box = h("div"), text = h("div"), head = h("h2", {}, name);
    c = { el: h("section", { class: "card", "aria-label": name }, head, text, box), text, head, box, board: null, shown: "" };
    cards.set(name, c);
  }
  return c;
}

const ago = (t) => {
  const s = Math.max(0, Math.round((Date.now() - new Date(t)) / 1000));
  return s < 90 ? `${s} s ago` : s < 5400 ? `${Math.round(s / 60)} min ago` : `${Math.round(s / 3600)} h ago`;
};

async function draw(st) {
  const since = new Date(st.started).toLocaleString();
  $("state").textContent = `fibsbot ${st.version}, since ${since}${st.draining ? ", leaving after its matches" : ""}.${st.config_error ? " The last reload of the configuration failed: " + st.config_error : ""}${st.index_error ? " The index does not work: " + st.index_error : ""}`;
  const list = [];
  for (const a of st.accounts ?? []) {
    const c = cardOf(a.name);
    const rows = [["State", a.state + (a.waiting ? ": " + a.waiting : "")], ["Server", a.server]];
    if (a.opponent) rows.push(["Opponent", `${a.opponent}, ${a.match ?? ""}`]);
    if (a.preset) rows.push(["Plays as", a.preset]);
    if (a.rating) rows.push(["Rating", a.rating.toFixed(2)]);
    rows.push(["Matches", `${a.matches_finished} finished, ${a.matches_won} won`], ["Commands waiting", String(a.send_queue)]);
    if (a.last_line) rows.push(["Server spoke", ago(a.last_line)]);
    if (a.error) rows.push(["Error", a.error]);
    if (a.journal_error) rows.push(["Error", "The journal cannot be written: " + a.journal_error]);
    c.text.replaceChildren(h("table", {}, h("tbody", {}, ...rows.map(([k, v]) => h("tr", {}, h("th", { scope: "row" }, k), h("td", { class: k === "Error" ? "error" : "" }, v))))));
    if (a.position_id && a.position_id !== c.shown) {
      const d = await ask("POST", "/position", { position: a.position_id });
      c.board ??= new Board(c.box, "view");
      c.board.set({ me: d.board[0], opp: d.board[1], cube: { value: d.cube, owner: { me: "me", opponent: "opp" }[d.owner] ?? "centre" } });
      c.shown = a.position_id;
    } else if (!a.position_id && c.board) {
      c.box.replaceChildren();
      c.board = null;
      c.shown = "";
    }
    list.push(c.el);
  }
  if ($("accounts").children.length !== list.length || list.some((el, i) => $("accounts").children[i] !== el)) $("accounts").replaceChildren(...list);
}

async function look() {
  if (!document.hidden) {
    try {
      await draw(await ask("GET", "/bots"));
    } catch (err) {
      $("state").textContent = err.message;
      $("accounts").replaceChildren(h("p", { class: "empty" }, "No bot is running here. ‘fibsbot run’ with the same bot.yaml starts one; this page finds it by itself."));
      cards.clear();
    }
  }
  setTimeout(look, 2000);
}
look();
