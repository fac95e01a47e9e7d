// Collections of positions, as a panel of the page Positions.

import { _, ask, h, refill, show, toast } from "./site.js";

const path = (name) => "/collections/" + encodeURIComponent(name);

export class Collections {
  /** open shows an item; rules are those of the board that an XGID cannot say. */
  constructor(open, rules) {
    this.open = open;
    this.rules = rules;
    this.chosen = "";
  }

  /** show fills the panel. where is the position on the board. */
  async show(panel, where) {
    this.where = where;
    if (panel.querySelector("#collect")) return; // what is typed stays
    this.panel = panel;
    this.form = h(
      "form",
      { id: "collect", class: "grid" },
      h(
        "label",
        {},
        _`Collection `,
        h("input", {
          name: "collection",
          list: "collection-names",
          required: true,
          maxlength: 80,
          autocomplete: "off",
        }),
      ),
      h("datalist", { id: "collection-names" }),
      h("label", {}, _`Name `, h("input", { name: "name", maxlength: 80, autocomplete: "off" })),
      h("label", {}, _`Tags `, h("input", { name: "tags", placeholder: _`prime, bar`, autocomplete: "off" })),
      h("label", {}, _`Note `, h("input", { name: "note", maxlength: 500, autocomplete: "off" })),
      h("button", { class: "primary" }, _`Save this position`),
      h("p", { class: "error span", id: "collect-error", role: "alert", hidden: true }),
    );
    this.form.addEventListener("submit", (e) => this.save(e));
    this.list = h("div", { id: "collections" });
    panel.replaceChildren(this.form, this.list);
    await this.load();
  }

  async load() {
    try {
      this.all = await ask("GET", "/collections");
    } catch (err) {
      this.form.hidden = true;
      this.list.replaceChildren(h("p", { class: "empty" }, err.message));
      return;
    }
    this.panel
      .querySelector("#collection-names")
      .replaceChildren(...this.all.map((c) => h("option", { value: c.name })));
    if (!this.all.some((c) => c.name === this.chosen)) this.chosen = this.all[0]?.name ?? "";
    const box = this.form.elements.collection;
    if (!box.value) box.value = this.chosen;
    this.draw();
  }

  draw() {
    const c = this.all.find((x) => x.name === this.chosen);
    if (!c) {
      this.list.replaceChildren(
        h("p", { class: "empty" }, _`No collections yet. Give a name above and save the position on the board.`),
      );
      return;
    }
    const choose = h(
      "select",
      {
        "aria-label": _`Collection`,
        onchange: (e) => {
          this.chosen = e.target.value;
          this.form.elements.collection.value = this.chosen;
          this.draw();
        },
      },
      ...this.all.map((x) => h("option", { value: x.name, selected: x === c }, _`${x.name} (${x.items.length})`)),
    );
    const items = c.items.map((it) =>
      h(
        "li",
        {},
        h("button", { type: "button", class: "link", onclick: () => this.open(it) }, it.name || it.xgid.slice(5, 31)),
        ...it.tags.map((t) => h("span", { class: "tag", "data-data": true }, t)),
        it.note ? h("small", { class: "dim", "data-data": true }, it.note) : "",
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": _`Remove ${it.name || it.xgid}`,
            onclick: () => this.change("DELETE", `${path(c.name)}/positions/${it.id}`),
          },
          "×",
        ),
      ),
    );
    refill(
      this.list,
      h(
        "div",
        { class: "row" },
        choose,
        h("a", { class: "button", href: "/quiz?source=" + encodeURIComponent("collection:" + c.name) }, _`Quiz`),
        h("button", { type: "button", onclick: () => this.rename(c) }, _`Rename`),
        h("button", { type: "button", onclick: () => this.drop(c) }, _`Delete`),
      ),
      h("ul", { class: "positions" }, ...items),
      c.items.length ? "" : h("p", { class: "empty" }, _`This collection is empty.`),
    );
  }

  async save(e) {
    e.preventDefault();
    const f = this.form.elements;
    const name = f.collection.value.trim();
    try {
      await ask("POST", path(name) + "/positions", {
        position: this.where.xgid,
        ...this.rules(),
        name: f.name.value,
        note: f.note.value,
        tags: f.tags.value
          .split(",")
          .map((t) => t.trim())
          .filter(Boolean),
      });
      show(this.panel.querySelector("#collect-error"), null);
      f.name.value = f.note.value = f.tags.value = "";
      await this.load();
      this.chosen = this.all.find((c) => c.name.toLowerCase() === name.toLowerCase())?.name ?? this.chosen;
      this.draw();
      toast(_`Saved.`);
    } catch (err) {
      show(this.panel.querySelector("#collect-error"), err);
    }
  }

  async change(method, at, body) {
    try {
      await ask(method, at, body);
    } catch (err) {
      toast(err.message);
    }
    await this.load();
  }

  async rename(c) {
    const to = prompt(_`New name`, c.name)?.trim();
    if (!to || to === c.name) return;
    this.chosen = to;
    this.form.elements.collection.value = to;
    await this.change("PATCH", path(c.name), { name: to });
  }

  async drop(c) {
    if (!confirm(_`Delete ${c.name} with ${c.items.length} positions?`)) return;
    this.form.elements.collection.value = "";
    await this.change("DELETE", path(c.name));
  }
}
