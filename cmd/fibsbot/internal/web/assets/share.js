// Copying a position: as ID, link, text and pictures.

import { keep, png } from "./picture.js";
import { _, addressOf, ask, below, signed, toast } from "./site.js";

/** @import { AdvicePlay, Evaluation } from "../api.d.ts" */

/** copy puts a text on the clipboard. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // without HTTPS, or refused
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    if (!done) {
      toast(_`The browser refuses to copy; mark the text and copy it yourself.`);
      return;
    }
  }
  toast(_`Copied.`);
}

/** playLines are the five best plays, a line each.
    @param {AdvicePlay[]} moves */
export const playLines = (moves) =>
  moves.slice(0, 5).map((m) => {
    const behind = m.rank > 1 ? ` (${signed(m.diff)})` : "";
    return `${m.rank}. ${m.move} ${signed(m.equity)}${behind}`;
  });

/** cubeLines are a cube decision and its equities, or the equity where the cube cannot be turned.
    @param {Evaluation} v */
export function cubeLines({ cube, cubeful_equity }) {
  if (!cube) return [_`Equity` + " " + signed(cubeful_equity)];
  const equities = [
    [_`No double`, cube.no_double],
    [_`double, take`, cube.double_take],
    [_`double, pass`, cube.double_pass],
  ];
  return [cube.words, equities.map(([name, equity]) => `${name} ${signed(equity)}`).join(", ")];
}

/** markdown is a drawn board and its decision in Markdown, where numbered lines would become a list. */
export function markdown(board, lines, xgid, link) {
  const plain = lines.map((l) => l.replace(/^(\d)\./, "$1\\.") + "  ");
  return ["```", board, "```", "", ...plain, "", `[${xgid}](${link})`].join("\n");
}

/** forum is a drawn board and its decision in the tags of forums. */
export const forum = (board, lines, xgid, link) =>
  ["[code]", board, "[/code]", ...lines, `[url=${link}]${xgid}[/url]`].join("\n");

/** share serves the buttons in el. request makes the request of an analysis. */
export function share(el, request) {
  let where = null;
  let game = "";
  let query = "";
  const link = () => addressOf("/positions" + query);
  const address = (to) =>
    below("/api/v1/picture?") + new URLSearchParams({ p: where.xgid, to, ...(game ? { game } : {}) });
  async function drawn() {
    const r = await fetch(address("text"));
    if (!r.ok) throw new Error((await r.json()).error);
    return (await r.text()).trimEnd();
  }
  /** best is the decision in lines, as people post it. */
  async function best() {
    if (where.finished) return [];
    if (where.dice.length) return playLines((await ask("POST", "/plays", request())).moves);
    return cubeLines(await ask("POST", "/eval", request()));
  }
  const forms = {
    id: async () => where.xgid,
    link: async () => link(),
    text: async () => [await drawn(), "", ...(await best())].join("\n"),
    markdown: async () => markdown(await drawn(), await best(), where.xgid, link()),
    forum: async () => forum(await drawn(), await best(), where.xgid, link()),
  };
  el.querySelector("#png").addEventListener("click", async () => {
    try {
      const r = await fetch(address("svg"));
      if (!r.ok) throw new Error((await r.json()).error);
      keep(await png(await r.text()), "position.png");
    } catch (err) {
      toast(err.message);
    }
  });
  el.addEventListener("click", async (e) => {
    const form = e.target.closest("[data-copy]")?.dataset.copy;
    if (!form || !where) return;
    try {
      await copy(await forms[form]());
    } catch (err) {
      toast(err.message);
    }
  });
  return {
    /** set says which position is copied, and its address in the page. */
    set(position, variation, search) {
      [where, game, query] = [position, variation, search];
      el.querySelector("#svg").href = address("svg");
    },
  };
}
