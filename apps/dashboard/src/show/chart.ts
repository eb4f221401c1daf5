import { type PlotOptions, plot } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { legend, scalesFor } from "./colours.ts";
import { type Cell, table } from "./table.ts";

export interface Chart {
  /** What the plot shows, in one line. */
  readonly title: string;
  /** Pixels that there are in a line. */
  readonly width: number;
  readonly options: PlotOptions;
  /** Names of the series, where there are several. */
  readonly series?: readonly string[];
  /** What is plotted, for those who read: column names and rows. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly numbers?: readonly number[];
}

/** Does the page fit a phone only? Then plots give names less room. */
export const isNarrow = (width: number): boolean => width < 600;

/** A plot with its title and legend, and its values as a table below it. */
export function chart({
  title,
  width,
  options,
  series = [],
  columns,
  rows,
  numbers = [],
}: Chart): TemplateResult {
  const drawn = plot({
    width,
    // A fixed name keeps the style that the library puts into a plot the same text always: the policy of the page's
    // server lets that text through and no other (apps/cli/src/dashboard/policy.ts).
    className: "plot",
    ariaLabel: title,
    ariaDescription: "The values stand in the table after the plot.",
    ...(series.length > 0 ? scalesFor(series) : {}),
    ...options,
  });
  drawn.setAttribute("role", "img");
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    ${series.length > 1 ? legend(series) : null}
    ${drawn}
    <details><summary>The values (${rows.length})</summary>${table(columns, rows, { caption: title, numbers })}</details>
  </figure>`;
}

/** A sentence in place of a plot. */
export const absent = (sentence: string): TemplateResult => html`<p class="absent">${sentence}</p>`;
