// Draws the histogram of the sample picture, which polybin counts while the site is built.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openEngine } from "@polybin/core";
import { decode } from "@polybin/pictures";
import type { MarkdownRenderer } from "vitepress";
import { sourceOf } from "../links.ts";
import { ROOT, SITE } from "../paths.ts";

const PICTURE = "apps/cli/sample/evening.png";
/** The comment of the page that the drawing replaces. */
const PLACE = "<!-- the histogram of the sample picture -->";

const [WIDTH, HEIGHT] = [512, 200];
const NAMES = ["red", "green", "blue"];

/** The outline of a channel's bars, from the first bin to the last one. */
function outline(counts: Iterable<number>, most: number): string {
  const steps = Array.from(counts, (count) => {
    const y = HEIGHT - (count / most) * HEIGHT;
    return `V${y.toFixed(1)}h${WIDTH / 256}`;
  });
  return `M0 ${HEIGHT}${steps.join("")}V${HEIGHT}z`;
}

/** Counts the picture, and returns the plugin that puts the drawing into the page. */
export async function drawingOfSample(): Promise<(md: MarkdownRenderer) => void> {
  const picture = await decode(await readFile(join(ROOT, PICTURE)));
  await using engine = await openEngine();
  const histograms = await engine.histograms(picture);
  const most = Math.max(...histograms.flatMap(({ counts }) => [...counts]));
  const paths = histograms.map(({ counts }, i) => `<path class="${NAMES[i]}" d="${outline(counts, most)}"/>`);
  const drawing = `<svg class="sample" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="sample-title sample-desc">
<title id="sample-title">The histogram of evening.png</title>
<desc id="sample-desc">The counts of the 256 values of red, green and blue, over each other. The largest count is ${most.toLocaleString("en-US")} pixels.</desc>
${paths.join("")}</svg>`;
  return (md) => {
    md.core.ruler.push("drawing-of-sample", ({ tokens, env }) => {
      if (sourceOf(env) !== `${SITE}/index.md`) return;
      for (const token of tokens) token.content = token.content.replace(PLACE, drawing);
    });
  };
}
