// Themes of errors, which the quiz, the review and the statistics name alike.

import { _, h, phrase, signed } from "./site.js";

export function themeName(t) {
  const what = phrase(t.phase || t.plan);
  return t.kind === "cube" ? _`${what}, cube` : _`${what}, plays`;
}

/** themeCost is what the errors of a theme cost together. */
export const themeCost = (t) =>
  h(
    "small",
    {},
    t.questions === 1 ? _`1 error, ${signed(-t.loss, 2)}` : _`${t.questions} errors, ${signed(-t.loss, 2)}`,
  );

/** themeFilter are the filters of a theme's questions. */
export const themeFilter = (t) => ({
  kind: t.kind,
  ...(t.phase && { phase: t.phase }),
  ...(t.plan && { plan: t.plan }),
});

/** quizAt is the address of the quiz with these filters. */
export const quizAt = (filters) => "/quiz?" + new URLSearchParams(filters);

/** themeLinks lead to the questions of each theme. */
export const themeLinks = (themes, more) =>
  themes.map((t) =>
    h("a", { class: "button", href: quizAt({ ...more, ...themeFilter(t) }) }, themeName(t), " ", themeCost(t)),
  );
