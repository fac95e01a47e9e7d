// Starts the Go program in a worker: that of the engine, and those that help it.

import { link } from "./kernel.js";

/** run starts the compiled program and resolves when it ends. kernel is its vector kernel or null,
    files are what it has as a file system, and host is what it finds as fibsbotHost. */
export async function run(program, kernel, files, host) {
  globalThis.fs = files;
  globalThis.process = {
    pid: 1,
    ppid: 0,
    getuid: () => 0,
    getgid: () => 0,
    geteuid: () => 0,
    getegid: () => 0,
    getgroups: () => [],
    umask: () => 0o22,
    cwd: () => "/home",
    chdir() {},
  };
  globalThis.path = { resolve: (...p) => p.join("/") };
  globalThis.fibsbotHost = host;
  await import("./wasm_exec.js");
  const go = new Go();
  const k = link(kernel);
  go.env = { HOME: "/home", TMPDIR: "/tmp" };
  const imports = { ...go.importObject, kernel: k.imports };
  const instance = await WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (program), imports);
  k.start(instance.exports.mem);
  await go.run(instance);
}
