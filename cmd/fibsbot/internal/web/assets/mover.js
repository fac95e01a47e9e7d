// A play made checker by checker along the server's tree of steps. This file knows no rules.

export class Mover {
  /** moves is the tree, dice the roll, me and opp the checkers before it. */
  constructor(moves, dice, me, opp) {
    this.moves = moves;
    this.node = 0;
    this.path = [];
    this.me = [...me];
    this.opp = [...opp];
    this.order = [...dice].sort((a, b) => b - a);
  }

  edges(node = this.node) {
    return [...(this.moves[node].next ?? [])].sort((a, b) => this.order.indexOf(a.die) - this.order.indexOf(b.die));
  }

  /** sources are the points whose checkers may move. */
  sources() {
    return [...new Set(this.edges().map((e) => e.from))];
  }

  /** ways are the points that the checker on from can reach, with the steps. */
  ways(from) {
    const out = new Map();
    const queue = [[this.node, from, []]];
    while (queue.length) {
      const [node, at, path] = queue.shift();
      for (const e of this.edges(node).filter((x) => x.from === at)) {
        const p = [...path, e];
        if (!out.has(e.to)) out.set(e.to, p);
        if (e.to !== 0) queue.push([e.node, e.to, p]);
      }
    }
    return out;
  }

  /** easiest is the step of a checker that was only tapped: with the first die. */
  easiest(from) {
    const e = this.edges().find((x) => x.from === from);
    return e ? [e] : null;
  }

  step(path) {
    for (const e of path) {
      this.path.push({ ...e, before: { node: this.node, me: [...this.me], opp: [...this.opp] } });
      this.me[e.from - 1]--;
      if (e.to > 0) this.me[e.to - 1]++;
      if (e.hit) {
        this.opp[24 - e.to]--;
        this.opp[24]++;
      }
      this.node = e.node;
    }
  }

  /** restore makes the steps [[from, to, node], ...] again, as far as they exist. */
  restore(steps) {
    for (const [from, to, node] of steps) {
      const e = this.edges().find((x) => x.from === from && x.to === to && x.node === node);
      if (!e) return;
      this.step([e]);
    }
  }

  /** back undoes the last step; false without a step. */
  back() {
    const last = this.path.pop();
    if (last) Object.assign(this, last.before);
    return !!last;
  }

  /** swap plays the other die first. */
  swap() {
    if (!this.path.length) this.order.reverse();
  }

  /** may reports whether the play can end here, stuck whether it must. */
  get may() {
    return this.moves[this.node].end;
  }
  get stuck() {
    return this.may && !this.edges().length;
  }

  /** text is the notation of the play that ends here. */
  get text() {
    return this.moves[this.node].play ?? "";
  }

  /** used reports which dice have been played. */
  used() {
    const done = this.path.map((e) => e.die);
    if (this.order[0] === this.order[1]) return [0, 1, 2, 3].map((i) => i < done.length);
    return this.order.map((d) => done.includes(d));
  }

  /** find returns the steps [[from, to], ...] of a play in notation, or null. */
  find(text) {
    const walk = (node, path) => {
      if (this.moves[node].end && this.moves[node].play === text) return path;
      for (const e of this.moves[node].next ?? []) {
        const p = walk(e.node, [...path, [e.from, e.to]]);
        if (p) return p;
      }
      return null;
    };
    return walk(0, []);
  }
}

/** gestures is what a board does for the play of mover(): step is called with the steps to make. */
export const gestures = (mover, step, draw) => ({
  targets: (from) => [...mover().ways(from).keys()],
  move: (from, to) => step(mover().ways(from).get(to)),
  tap: (from) => step(mover().easiest(from)),
  dice: () => {
    mover()?.swap();
    draw();
  },
});
