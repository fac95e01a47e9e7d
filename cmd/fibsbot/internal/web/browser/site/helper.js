// A worker that plays pieces of rollouts and analyses for that of the engine: see helpers.js.

import { Files } from "./fs.js";
import { run } from "./program.js";

const waiting = []; // messages before the program is ready
let play = null;
const cancels = new Map(); // functions that cancel, by the ID of the piece

onmessage = ({ data: m }) => {
  if (m.type === "start") start(m).catch(failed);
  else if (play) take(m);
  else waiting.push(m);
};

function take(m) {
  if (m.type === "cancel") return cancels.get(m.id)?.();
  cancels.set(
    m.id,
    play(m.kind, m.spec, m.ask, (error, data) => {
      cancels.delete(m.id);
      postMessage({ type: "result", id: m.id, error, data }, { transfer: data ? [data.buffer] : [] });
    }),
  );
}

function failed() {
  postMessage({ type: "failed" });
}

/** start runs the program; it finds the files that the engine's worker gave, and keeps none. */
async function start({ program, kernel, files }) {
  const contents = new Map(files.map((f) => [f.path, f.data]));
  const store = {
    load: async () => files,
    content: async (path) => contents.get(path),
    put() {},
    remove() {},
    closed() {},
    async flush() {},
  };
  const tree = new Files(store);
  await tree.load();
  await run(program, kernel, tree, {
    ready(f) {
      play = f;
      for (const m of waiting.splice(0)) take(m);
    },
    failed,
  });
  failed();
}
