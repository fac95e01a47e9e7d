// Orders to a running bot, those of fibsbot ctl.

import { _, ask, button, h, toast } from "./site.js";

/** @import { OpsAccount, OpsReply } from "../api.d.ts" */

/** may says whether this site takes orders. */
export const may = () => document.getElementById("accounts").dataset.orders === "true";

/** give gives an order and tells what the bot answered. It returns whether the order was carried out.
    @param {string} order
    @param {string} account name@server, or "" for all
    @param {string[]} args */
export async function give(order, account = "", args = []) {
  try {
    /** @type {OpsReply} */
    const r = await ask("POST", "/bots/orders", { order, account, args });
    toast(r.answer);
    return r.done;
  } catch (err) {
    toast(err.message);
    return false;
  }
}

/** words are the words of a text, as the arguments of an order. */
const words = (text) => text.split(/\s+/).filter(Boolean);

const field = (label, props) =>
  h("label", { class: "field" }, label, " ", h("input", { autocomplete: "off", spellcheck: "false", ...props }));

/** aboutPlayer is the form with the orders about a player.
    @param {string} to */
function aboutPlayer(to) {
  const player = h("input", {
    name: "player",
    required: true,
    maxlength: 40,
    autocomplete: "off",
    spellcheck: "false",
  });
  const length = h("input", { name: "length", type: "number", min: 1, max: 99, placeholder: _`usual` });
  /** about is an order about the player. */
  const about = (name, text, question) =>
    button(
      text,
      () => {
        if (!player.reportValidity() || (question && !confirm(question(player.value)))) return;
        const also = name === "invite" && length.value ? [length.value] : [];
        give(name, to, [player.value.trim(), ...also]);
      },
      { "data-order": name },
    );
  const form = h(
    "form",
    { class: "row" },
    h("label", { class: "field" }, _`Player`, " ", player),
    h("label", { class: "field" }, _`Length`, " ", length),
    about("invite", _`Invite`),
    about("block", _`Block`, (name) => _`Refuse ${name} and invite him no more?`),
    about("unblock", _`Unblock`),
    about("forget", _`Forget`, (name) => _`Forget all that is remembered about ${name}?`),
  );
  form.addEventListener("submit", (e) => e.preventDefault());
  return form;
}

/** ordersOf is the part of a card that gives orders to an account, and shows which of them hold.
    @param {OpsAccount} a */
export function ordersOf(a) {
  const to = `${a.name}@${a.server}`;
  /** order makes a button; question is asked before. */
  const order = (name, text, question) =>
    button(text, () => (!question || confirm(question)) && give(name, to), { "data-order": name });
  const pause = order("pause", _`Pause`);
  const resume = order("resume", _`Accept matches again`);
  const el = h(
    "details",
    { class: "fold" },
    h("summary", {}, _`Orders`),
    h(
      "div",
      { class: "row" },
      pause,
      resume,
      order(
        "drain",
        _`Finish and log out`,
        _`Log ${a.name} out after this match? It plays again when fibsbot is started.`,
      ),
      order("leave", _`Log out now`, _`Log ${a.name} out now, in the middle of a match?`),
    ),
    aboutPlayer(to),
  );
  return {
    el,
    state: (paused, leaving) => {
      pause.hidden = paused || leaving;
      resume.hidden = !paused && !leaving;
    },
  };
}

/** speakAs is the field in which the owner speaks as an account.
    @param {OpsAccount} a */
export function speakAs(a) {
  const how = h(
    "select",
    { name: "how", "aria-label": _`To whom` },
    h("option", { value: "say" }, _`to the opponent`),
    h("option", { value: "kibitz" }, _`to all at the board`),
    h("option", { value: "tell" }, _`to a player`),
  );
  const player = field(_`Player`, { name: "player", maxlength: 40 });
  const text = h("input", { name: "text", required: true, maxlength: 300, autocomplete: "off", "aria-label": _`Text` });
  const form = h("form", { class: "row speak" }, how, player, text, h("button", { "data-order": "speak" }, _`Send`));
  const name = /** @type {HTMLInputElement} */ (player.querySelector("input"));
  const choose = () => {
    player.hidden = how.value !== "tell";
    name.required = !player.hidden;
  };
  how.addEventListener("change", choose);
  choose();
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const whom = how.value === "tell" ? [name.value.trim()] : [];
    if (await give(how.value, `${a.name}@${a.server}`, [...whom, ...words(text.value)])) text.value = "";
  });
  return {
    el: form,
    /** answer gets an answer to a player ready. */
    answer: (player) => {
      how.value = "tell";
      choose();
      name.value = player;
      text.focus();
    },
  };
}
