// What the scripts of the pages meet that no module of theirs declares.

// The program serves it: page.js of the reports with an export.
declare module "*/report.js" {
  export function review(root: Document | ShadowRoot, options?: object): () => void;
}

// The Go that compiles the browser edition brings it, and it declares Go.
declare module "*/wasm_exec.js";
declare class Go {
  argv: string[];
  env: Record<string, string>;
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface Window {
  /** What index.html of the browser edition shares with the rooms in its frame. */
  fibsbot?: any;
}
declare var fibsbotLanguage: ((language: string) => void) | undefined;
declare var fibsbotAddress: ((path: string) => string) | undefined;
