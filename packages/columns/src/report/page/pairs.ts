import type { JointJson, ProfileJson } from "../../profile/index.ts";
import { isDrawable } from "../plots/bins.ts";
import { heatSpec } from "../plots/heat.ts";
import type { Plotter } from "../plots/svg.ts";
import { type Html, html } from "../text/html.ts";
import { whole } from "../text/numbers.ts";
import { plainName } from "../text/visible.ts";

const NAME = 60;

/** The joint pictures of the chosen pairs. */
export async function pairs(plotter: Plotter, { joint, columns }: ProfileJson): Promise<Html | null> {
  if (joint.length === 0) return null;
  const drawn: Html[] = [];
  for (const pair of joint) {
    const types = pair.columns.map((name) => columns.find((column) => column.name === name)?.logical);
    const [x = NUMBERS, y = NUMBERS] = types;
    const [right, up] = pair.columns.map((name) => plainName(name, NAME)) as [string, string];
    const heading = html`<bdi>${up}</bdi> over <bdi>${right}</bdi>`;
    const svg = pair.axes.every(({ edges }) => isDrawable(edges))
      ? await plotter.draw(heatSpec(pair, [x, y]), `Heat map of ${up} over ${right}`)
      : html`<p>The range is too wide for a picture.</p>`;
    drawn.push(
      html`<article class="card"><header><h3>${heading}</h3></header><figure>${svg}<figcaption>${caption(pair)}</figcaption></figure></article>`,
    );
  }
  return html`<section aria-labelledby="pairs"><h2 id="pairs">Pairs of columns</h2><div class="pairs">${drawn}</div></section>`;
}

const NUMBERS = { kind: "number", type: "f64" } as const;

function caption({ counts, shape, outside, nulls }: JointJson): string {
  const inside = counts.reduce((sum, count) => sum + count, 0);
  return [
    `${whole(inside)} rows in ${shape[0]} × ${shape[1]} bins.`,
    ...(outside > 0 ? [`${whole(outside)} outside of the bins.`] : []),
    ...(nulls > 0 ? [`${whole(nulls)} with a null.`] : []),
  ].join(" ");
}
