// Copying a position: as ID, link, text and pictures.

import { _, ask, signed, toast } from "./site.js";

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

/** share serves the buttons in el. request makes the request of an analysis. */
export function share(el, request) {
  let where = null;
  let game = "";
  let query = "";
  const link = () => `${location.origin}/positions${query}`;
  const address = (to) => "/api/v1/picture?" + new URLSearchParams({ p: where.xgid, to, ...(game ? { game } : {}) });
  async function drawn() {
    const r = await fetch(address("text"));
    if (!r.ok) throw new Error((await r.json()).error);
    return (await r.text()).trimEnd();
  }
  /** best is the decision in lines, as people post it. */
  async function best() {
    if (where.finished) return [];
    if (where.dice.length) {
      return (await ask("POST", "/plays", request())).moves
        .slice(0, 5)
        .map((m) => `${m.rank}. ${m.move} ${signed(m.equity)}${m.rank > 1 ? ` (${signed(m.diff)})` : ""}`);
    }
    const v = await ask("POST", "/eval", request());
    return v.cube
      ? [
          v.cube.words,
          `${_`No double`} ${signed(v.cube.no_double)}, ${_`double, take`} ${signed(v.cube.double_take)}, ${_`double, pass`} ${signed(v.cube.double_pass)}`,
        ]
      : [_`Equity` + " " + signed(v.cubeful_equity)];
  }
  const forms = {
    id: async () => where.xgid,
    link: async () => link(),
    text: async () => [await drawn(), "", ...(await best())].join("\n"),
    markdown: async () =>
      [
        "```",
        await drawn(),
        "```",
        "",
        ...(await best()).map((l) => l.replace(/^(\d)\./, "$1\\.") + "  "),
        "",
        `[${where.xgid}](${link()})`,
      ].join("\n"),
    forum: async () =>
      ["[code]", await drawn(), "[/code]", ...(await best()), `[url=${link()}]${where.xgid}[/url]`].join("\n"),
  };
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
      for (const to of ["svg", "png"]) el.querySelector("#" + to).href = address(to);
    },
  };
}
