import { Html } from "../text/html.ts";

const WIDTH = 96;
const HEIGHT = 24;
/** The bars of a sparkline. */
export const SPARKS = 32;

/** Bars without axes, which only hint at a shape. @param gap pixels between bars */
export function spark(counts: readonly number[], gap = 0): Html {
  const tallest = Math.max(1, ...counts);
  const step = WIDTH / counts.length;
  const bar = (count: number, i: number): string => {
    if (count === 0) return "";
    const height = Math.max(1, Math.round((count / tallest) * HEIGHT));
    return `M${round(i * step)},${HEIGHT}v-${height}h${round(step - gap)}v${height}z`;
  };
  return new Html(
    `<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"><path d="${counts.map(bar).join("")}"/></svg>`,
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;
