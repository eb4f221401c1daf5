import { type PlotOptions, plot } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { legend, scalesFor } from "./colours.ts";
import { type Cell, table } from "./table.ts";

export interface Chart {
  /** One line that says what the plot shows. */
  readonly title: string;
  /** Available width in pixels. */
  readonly width: number;
  readonly options: PlotOptions;
  /** Names of the series, where there are several. */
  readonly series?: readonly string[];
  /** The plotted values as a table: column names and rows. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly numbers?: readonly number[];
}

/** Whether the page is as narrow as a phone. Plots then give names less room. */
export const isNarrow = (width: number): boolean => width < 600;

/** Draws a plot with its title and legend, and its values as a table below. */
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
    // A fixed name keeps the text of the library's inline style constant. The server's policy allows that text and no
    // other (server/policy.ts).
    className: "plot",
    ariaLabel: title,
    ariaDescription: "The table after the plot holds the values.",
    ...(series.length > 0 ? scalesFor(series) : {}),
    ...options,
  });
  drawn.setAttribute("role", "img");
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    ${series.length > 1 ? legend(series) : null}
    ${drawn}
    <details><summary>Values (${rows.length})</summary>${table(columns, rows, { caption: title, numbers })}</details>
  </figure>`;
}

/** Shows a sentence in place of a plot. */
export const absent = (sentence: string): TemplateResult => html`<p class="absent">${sentence}</p>`;
