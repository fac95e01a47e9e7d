// Plays in notation.

/** steps returns the moves [[from, to], ...] of a play, 25 for the bar and 0 for off. */
export function steps(text) {
  const out = [];
  for (const part of text.split(" ")) {
    const [, body, times] = /^(.*?)(?:\((\d)\))?$/.exec(part);
    const points = body
      .replaceAll("*", "")
      .split("/")
      .map((x) => (x === "bar" ? 25 : x === "off" ? 0 : Number(x)));
    for (let k = 0; k < Number(times ?? 1); k++) {
      for (let i = 1; i < points.length; i++) out.push([points[i - 1], points[i]]);
    }
  }
  return out.filter((m) => m.every(Number.isInteger));
}
