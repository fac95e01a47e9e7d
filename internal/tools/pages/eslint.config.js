// What .ci/pages asks of the scripts of the pages, besides prettier's format and tsc's types.

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_$" }],
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-len": ["error", 120],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "one-var": ["error", { initialized: "never" }],
      "prefer-const": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "TemplateElement[value.raw=/\\n/]",
          message: "No template string spans lines: the browser edition strips leading white space.",
        },
      ],
    },
  },
  {
    // Reports have it as a script, the page of a match as a module: one name is for others.
    files: ["engine/analyse/report/page.js"],
    languageOptions: { sourceType: "script" },
    rules: { "no-unused-vars": ["error", { vars: "local" }] },
  },
  {
    files: ["**/site/sw.js"],
    languageOptions: { globals: globals.serviceworker },
  },
  {
    files: ["**/site/program.js"],
    languageOptions: { globals: { Go: "readonly" } },
  },
  {
    files: ["**/*.mjs", "internal/tools/pages/*.js"],
    languageOptions: { globals: globals.node },
  },
];
