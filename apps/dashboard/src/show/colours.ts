import type { PlotOptions } from "@observablehq/plot";
import { html, nothing, type TemplateResult } from "lit-html";
import type { Keys } from "./keys.ts";
import { type Series, toggle } from "./series.ts";

/** Colours of series that are no programs. Symbols distinguish series without colour. */
const COLOURS: readonly string[] = Array.from({ length: 10 }, (_, i) => `var(--series-${i})`);

type Sign = keyof typeof SHAPES;
const SIGNS: readonly Sign[] = [
  "circle",
  "square",
  "triangle",
  "diamond",
  "plus",
  "times",
  "star",
  "asterisk",
];

/** Paths of the symbols, as the plots draw them, in a box from -6 to 6. */
const SHAPES = {
  circle: "M4,0A4,4 0 1 1 -4,0A4,4 0 1 1 4,0Z",
  square: "M-3.6,-3.6H3.6V3.6H-3.6Z",
  triangle: "M0,-4.6L4.4,3.4H-4.4Z",
  diamond: "M0,-5L3.4,0L0,5L-3.4,0Z",
  plus: "M-4.5,0H4.5M0,-4.5V4.5",
  times: "M-3.6,-3.6L3.6,3.6M-3.6,3.6L3.6,-3.6",
  star: "M0,-5L1.2,-1.6L4.8,-1.6L1.9,0.6L3,4L0,2L-3,4L-1.9,0.6L-4.8,-1.6L-1.2,-1.6Z",
  asterisk: "M0,-4.6V4.6M-4,-2.3L4,2.3M-4,2.3L4,-2.3",
} as const;

/** Symbols that consist of lines, with no area to fill. */
const LINES: readonly Sign[] = ["plus", "times", "asterisk"];

export const colourAt = (i: number): string => COLOURS[i % COLOURS.length]!;
const signAt = (i: number): Sign => SIGNS[i % SIGNS.length]!;

/** The colour of a series: its program's, or that of its place in the list. */
export const colourIn = (names: readonly string[], name: string, keys?: Keys): string =>
  keys?.get(name)?.colour ?? colourAt(names.indexOf(name));

/** Makes the scales of a plot: each name has its colour, and the symbol of its place in the list. */
export function scalesFor(names: readonly string[], keys?: Keys): Pick<PlotOptions, "color" | "symbol"> {
  return {
    color: { domain: [...names], range: names.map((name) => colourIn(names, name, keys)) },
    symbol: { domain: [...names], range: names.map((_, i) => signAt(i)) },
  };
}

/** Lists the series with their colours and symbols. Each entry is a switch. On a phone, a number at the end of a line refers to it. */
export function legend({ drawn, shown }: Series, numbered: boolean, keys?: Keys): TemplateResult {
  return html`<ul class="legend">${drawn.map(
    (
      name,
      i,
    ) => html`<li><button type="button" aria-pressed=${shown.includes(name)} title=${keys?.get(name)?.title ?? name} data-program=${keys?.get(name)?.program ?? nothing} @click=${() => toggle(name)}>
      <svg viewBox="-6 -6 12 12" aria-hidden="true">
        <path d=${SHAPES[signAt(i)]} fill=${LINES.includes(signAt(i)) || !shown.includes(name) ? "none" : colourIn(drawn, name, keys)} stroke=${colourIn(drawn, name, keys)} stroke-width="1.5" />
      </svg>${numbered ? `${i + 1} ` : ""}${name}
    </button></li>`,
  )}</ul>`;
}
