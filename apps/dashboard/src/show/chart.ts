import { type Plot, type PlotOptions, plot } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { dayOf, type FileEntry, hostOf, sourceOf } from "../data/index.ts";
import { legend, scalesFor } from "./colours.ts";
import { saveCsv, savePng, saveSvg } from "./export.ts";
import type { Keys } from "./keys.ts";
import { type Readings, readable } from "./reading.ts";
import { seriesOf, showAll, showsAll } from "./series.ts";
import { type Cell, table } from "./table.ts";

export interface Chart {
  /** One line that says what the plot shows. */
  readonly title: string;
  /** Available width in pixels. */
  readonly width: number;
  readonly options: PlotOptions;
  /** Names of all series, where there are several, the most important ones first. `seriesOf` says which ones to draw. */
  readonly series?: readonly string[];
  /** How many series are shown until the reader asks for all. */
  readonly first?: number;
  /** Colours and tooltips of series that are programs. */
  readonly keys?: Keys;
  /** The file that the plot is drawn from, if it is one. */
  readonly source?: FileEntry | null;
  /** Whether the plot names its series by their numbers in the legend, because names have no room. */
  readonly numbered?: boolean;
  /** Number of lines, if the plot leaves some out until the reader asks for all. */
  readonly total?: number;
  /** Values that a pointer or the keyboard reads. */
  readonly readings?: Readings;
  /** The plotted values as a table: column names and rows. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly numbers?: readonly number[];
}

/** Whether the page is as narrow as a phone. Plots then give names less room. */
export const isNarrow = (width: number): boolean => width < 600;

/** Draws a plot with its title, legend and exports, and its values as a table below. */
export function chart(of: Chart): TemplateResult {
  const {
    title,
    width,
    options,
    series = [],
    first,
    keys,
    source = null,
    numbered = false,
    total,
    readings,
    columns,
    rows,
    numbers = [],
  } = of;
  const shown = seriesOf(series, first);
  const drawn = plot({
    width,
    // A fixed name keeps the text of the library's inline style constant. The server's policy allows that text and no
    // other (server/policy.ts).
    className: "plot",
    ariaLabel: title,
    ariaDescription: "The table after the plot holds the values.",
    ...(series.length > 0 ? scalesFor(shown.drawn, keys) : {}),
    // The name of an axis has its own line below the numbers.
    marginBottom: 42,
    ...options,
  }) as SVGSVGElement & Plot;
  drawn.setAttribute("role", "img");
  // The library names its groups, which have no role that may have a name.
  for (const group of drawn.querySelectorAll("g[aria-label]")) {
    group.setAttribute("data-mark", group.getAttribute("aria-label")!);
    group.removeAttribute("aria-label");
  }
  // A long list of names would push the plot off the first screen.
  const below = isNarrow(width) || shown.all;
  const key = series.length > 1 ? legend(shown, numbered, keys) : null;
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    ${source === null ? null : html`<p class="source" data-host=${hostOf(source)} data-day=${dayOf(source)}>${sourceOf(source)}</p>`}
    ${below ? null : key}
    ${readings === undefined ? drawn : readable(drawn, title, readings)}
    ${below ? key : null}
    <div class="tools">
      ${all(total ?? (shown.more > 0 || shown.all ? series.length : undefined))}
      <button type="button" @click=${() => saveCsv(title, columns, rows)} aria-label=${`CSV: ${title}`}>CSV</button>
      <button type="button" @click=${() => saveSvg(title, drawn)} aria-label=${`SVG: ${title}`}>SVG</button>
      <button type="button" @click=${() => savePng(title, drawn)} aria-label=${`PNG: ${title}`}>PNG</button>
      <button type="button" @click=${copyLink} aria-label=${`Copy link: ${title}`}>Copy link</button>
    </div>
    <details><summary>Values (${rows.length})</summary>${table(columns, rows, { caption: title, numbers })}</details>
  </figure>`;
}

/** Offers what the plot leaves out, or goes back to less. */
function all(total: number | undefined): TemplateResult | null {
  if (total === undefined) return null;
  const everything = showsAll();
  const text = everything ? "Show fewer" : `Show all ${total}`;
  return html`<button type="button" @click=${() => showAll(!everything)}>${text}</button>`;
}

/** The address holds all selections. The button says whether the browser allowed the copy. */
async function copyLink({ currentTarget }: Event): Promise<void> {
  const button = currentTarget as HTMLButtonElement;
  const copied = await navigator.clipboard.writeText(location.href).then(
    () => "Link copied",
    () => "Not copied",
  );
  button.textContent = copied;
}

/** Shows a sentence in place of a plot. */
export const absent = (sentence: string | TemplateResult): TemplateResult =>
  html`<p class="absent">${sentence}</p>`;
