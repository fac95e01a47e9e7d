// Connects the vector kernel (internal/kernel/simd.wat) to a Go program. The kernel works in the
// memory of the program, which exists only after the program does, so the program imports
// functions that call the kernel later. Without a kernel the program uses plain Go.

/** link returns the functions that a program imports as "kernel", and start, which connects them
    to its memory before it runs. compiled is the kernel, or null in a browser without vectors. */
export function link(compiled) {
  let k = null;
  return {
    imports: {
      available: () => (k ? 1 : 0),
      hidden: (a) => k.hidden(a),
      dots5: (out, h, w, n, count) => k.dots5(out, h, w, n, count),
      secondSums: (sums, h, w, last, n, count) => k.secondSums(sums, h, w, last, n, count),
      logits: (x, sums, t, count) => k.logits(x, sums, t, count),
      logistic: (x, n) => k.logistic(x, n),
      sigmoids: (x, sums, scale, bias, n) => k.sigmoids(x, sums, scale, bias, n),
      diffPairs: (last, cur, pairs, steps, rowBytes) => k.diffPairs(last, cur, pairs, steps, rowBytes),
      addSwaps: (sums, w, swaps, n) => k.addSwaps(sums, w, swaps, n),
      rank: (scores, base, out, w, before, after, stride, n) => k.rank(scores, base, out, w, before, after, stride, n),
    },
    start(mem) {
      if (compiled) k = new WebAssembly.Instance(compiled, { go: { mem } }).exports;
    },
  };
}

/** compile returns the kernel, or null if this browser has no vectors. */
export const compile = (bytes) => WebAssembly.compile(bytes).catch(() => null);
