import type { ColumnJson } from "../../profile/index.ts";
import type { Finding } from "../findings.ts";
import { binsOf } from "../plots/bins.ts";
import { SPARKS, spark } from "../plots/spark.ts";
import { type Html, html } from "../text/html.ts";
import { percent, whole } from "../text/numbers.ts";
import { shortText } from "../text/values.ts";
import { clipped, shown, visible } from "../text/visible.ts";
import { MOST_LISTED } from "./limits.ts";
import { badges, nameOf } from "./name.ts";

/** Characters of a name or a value in the list. The card shows more. */
const NAME = 120;
const VALUE = 60;

/** The names of the kinds of columns. */
const KINDS: Readonly<Record<ColumnJson["logical"]["kind"], string>> = {
  number: "Numbers",
  decimal: "Decimals",
  boolean: "Booleans",
  timestamp: "Timestamps",
  date: "Dates",
  time: "Times of day",
  string: "Text",
  refused: "Not counted",
};

/** The list of columns, which the script sorts and searches. */
export function list(columns: readonly ColumnJson[], notes: readonly (readonly Finding[])[]): Html {
  const kinds = Object.entries(KINDS).filter(([kind]) =>
    columns.some(({ logical }) => logical.kind === kind),
  );
  return html`
<div class="search" hidden>
<label>Search names, types and notes<input type="search" autocomplete="off" spellcheck="false"></label>
<label>Show<select><option value="">All columns</option><option value="warned">With warnings</option>${kinds.map(
    ([kind, name]) => html`<option value="${kind}">${name}</option>`,
  )}</select></label>
<output></output>
</div>
<table id="list">
<caption class="skip">All columns. Buttons in the headings sort them.</caption>
<thead><tr><th scope="col" class="c-i narrow" data-by="index" aria-sort="ascending">#</th><th scope="col" data-by="name">Column</th><th scope="col" class="c-share number" data-by="nulls">Nulls</th><th scope="col" class="c-count number" data-by="distinct">Distinct</th><th scope="col" class="c-value number wide">Smallest</th><th scope="col" class="c-value number wide">Median</th><th scope="col" class="c-value number wide">Largest</th><th scope="col" class="c-shape">Shape</th></tr></thead>
<tbody>${columns.slice(0, MOST_LISTED).map((column, i) => row(column, i, notes[i]!))}</tbody>
</table>${
    columns.length > MOST_LISTED &&
    html`<p>The list has the first ${whole(MOST_LISTED)} of ${whole(columns.length)} columns.</p>`
  }`;
}

function row(column: ColumnJson, i: number, notes: readonly Finding[]): Html {
  const { name, type, logical, rows, nulls, distinct, min, max } = column;
  const median = column.quantiles.find(({ p }) => p === 0.5);
  const text = (value: string | number | null) =>
    value === null || logical.kind === "boolean"
      ? ""
      : html`<span class="clip">${shown(shortText(value, logical, Number(max) - Number(min)), VALUE, "(empty)")}</span>`;
  const isWarned = notes.some(({ level }) => level === "warning");
  return html`
<tr data-card="c${i}" data-index="${i}" data-name="${clipped(visible(name), NAME).text}" data-type="${type}" data-kind="${logical.kind}${isWarned && " warned"}" data-notes="${notes.map(({ badge }) => badge).join(" ")}" data-nulls="${rows === 0 ? 0 : (nulls ?? 0) / rows}" data-distinct="${distinct?.value ?? ""}"><td class="quiet narrow">${i + 1}</td><th scope="row">${nameOf(i, shown(name, NAME, "(no name)"))}<span class="marks"><span class="type">${visible(type)}</span>${badges(notes)}</span></th><td class="number">${nulls !== null && percent(nulls, rows)}</td><td class="number">${distinctText(column)}</td><td class="value wide">${text(min)}</td><td class="value wide">${median?.exact === false && "≈ "}${text(median?.value ?? null)}</td><td class="value wide">${text(max)}</td><td>${shape(column)}</td></tr>`;
}

/** The number of different values, with a sign where it is an estimate. */
function distinctText({ distinct }: ColumnJson): string {
  if (distinct === null) return "";
  return `${distinct.exact ? "" : "≈ "}${whole(distinct.value)}`;
}

/** Bars of the histogram, or of the most frequent values of text. */
function shape(column: ColumnJson): Html | null {
  const histogram = column.core ?? column.histogram;
  if (histogram?.counts.some((count) => count > 0)) {
    const { counts, edges } = binsOf(histogram, column.logical, SPARKS);
    // The last bar may have fewer bins than the others.
    const heights = counts.map((count, i) => count / (edges[i + 1]! - edges[i]!));
    return spark(heights, counts.length <= 4 ? 4 : 0);
  }
  return column.top.length > 0
    ? spark(
        column.top.slice(0, SPARKS / 2).map(({ count }) => count),
        1,
      )
    : null;
}
