// Runs a Go program for GOOS=js in Node with the vector kernel, as the browser edition does:
// go test -exec "node internal/kernel/testdata/run.mjs". KERNEL=none runs it without.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { compile, link } from "../../../cmd/fibsbot/internal/web/browser/site/kernel.js";

const require = createRequire(import.meta.url);
Object.assign(globalThis, { fs, path, require });
const goroot = process.env.GOROOT || execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
require(path.join(goroot, "lib", "wasm", "wasm_exec.js"));

const go = new globalThis.Go();
go.argv = process.argv.slice(2);
go.env = { TMPDIR: os.tmpdir(), ...process.env };
go.exit = process.exit;
const kernel = link(
  process.env.KERNEL === "none" ? null : await compile(fs.readFileSync(new URL("../simd.wasm", import.meta.url))),
);
const { instance } = await WebAssembly.instantiate(fs.readFileSync(go.argv[0]), {
  ...go.importObject,
  kernel: kernel.imports,
});
kernel.start(instance.exports.mem);
process.on("exit", (code) => {
  if (code === 0 && !go.exited) {
    // a deadlock: Go prints its goroutines
    go._pendingEvent = { id: 0 };
    go._resume();
  }
});
await go.run(instance);
