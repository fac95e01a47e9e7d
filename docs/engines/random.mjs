// A small backgammon engine that speaks UBGI: random legal plays, the cube by the pip count.
import readline from "node:readline";

// Moves of one checker as [from, to]. b[1..24] are my points, b[25] is my bar; his are negative.
function steps(b, die) {
  const found = [];
  const far = b.findLastIndex((n) => n > 0);
  for (let f = 25; f > 0; f--) {
    const t = f - die;
    if (b[f] <= 0 || (b[25] > 0 && f < 25)) continue;
    if (t > 0 ? b[t] > -2 : far <= 6 && (t === 0 || f === far)) found.push([f, Math.max(t, 0)]);
  }
  return found;
}

function plays(b, dice) {
  const found = [];
  for (const [f, t] of dice.length ? steps(b, dice[0]) : []) {
    const after = b.slice();
    after[f]--;
    if (t) after[t] = Math.max(after[t], 0) + 1;
    for (const rest of plays(after, dice.slice(1))) found.push([[f, t], ...rest]);
  }
  return found.length ? found : [[]];
}

function play(b, a, c) {
  const high = Math.max(a, c);
  const low = Math.min(a, c);
  let found = high === low ? plays(b, Array(4).fill(high)) : [...plays(b, [high, low]), ...plays(b, [low, high])];
  const most = Math.max(...found.map((p) => p.length));
  if (most === 1 && high !== low && steps(b, high).length) found = plays(b, [high]); // one die alone: the higher
  found = found.filter((p) => p.length === most);
  return found[Math.floor(Math.random() * found.length)].map((s) => s.join("/")).join(" ");
}

function answer(xgid) {
  const [board, , , turn, dice] = xgid.replace("XGID=", "").split(":");
  let b = [...board].map((c) => (c === "-" ? 0 : c < "a" ? c.charCodeAt() - 64 : 96 - c.charCodeAt()));
  if ((turn === "-1") !== (dice === "D")) b = b.reverse().map((n) => -n); // the side that is asked
  if (/^[1-6]{2}$/.test(dice)) return play(b, +dice[0], +dice[1]);
  const mine = b.reduce((sum, n, p) => sum + (n > 0 ? p * n : 0), 0);
  const his = b.reduce((sum, n, p) => sum + (n < 0 ? (p - 25) * n : 0), 0);
  if (dice === "D") return mine <= 1.12 * his ? "take" : "drop";
  return his >= 1.1 * mine ? "double" : "roll";
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  line = line.trim();
  if (line === "ubgi") console.log("id name random-js\nreadyok");
  else if (line === "quit") process.exit();
  else if (line) console.log(answer(line));
});
