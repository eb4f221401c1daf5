// Puts a drawing of its memory into the page of each algorithm, after the sentences that introduce it.
import type { MarkdownRenderer } from "vitepress";
import { sourceOf } from "../links.ts";
import { draw } from "./plan.ts";
import { plansOf } from "./plans.ts";

const PAGE = /^docs\/internals\/algorithms\/([\w-]+)\.md$/;

/** The figure of an algorithm. Null: no algorithm has the name. */
export function figureOf(slug: string): string | null {
  const plans = plansOf(slug);
  if (plans === null) return null;
  const [{ request }] = plans as [(typeof plans)[0]];
  const which = plans.length === 1 ? "Its plan" : "The plans that it chooses from";
  const caption = [
    `<figcaption><p>${which} for ${request}, on a GPU with 132 multiprocessors, 32 banks and 48 KiB of shared memory per block:</p>`,
    ...plans.map(({ text }) => `<p><code>${text}</code></p>`),
    "</figcaption>",
  ];
  return `<figure class="memory" v-pre>${plans.map((plan) => draw(plan, plans.length > 1)).join("")}${caption.join("")}</figure>\n`;
}

export function drawingsOfMemory(md: MarkdownRenderer): void {
  md.core.ruler.push("drawings-of-memory", (state) => {
    const [, slug] = PAGE.exec(sourceOf(state.env)) ?? [];
    const figure = slug === undefined ? null : figureOf(slug);
    if (figure === null) return;
    const end = state.tokens.findIndex(({ type, level }) => type === "paragraph_close" && level === 0);
    const token = new state.Token("html_block", "", 0);
    token.content = figure;
    state.tokens.splice(end + 1, 0, token);
  });
}
