import type { ColumnJson, DistinctJson, HistogramJson, ProfileJson, Scalar } from "../../profile/index.ts";
import type { LogicalType } from "../../table/index.ts";
import type { Finding } from "../findings.ts";
import { type Bins, isDrawable } from "../plots/bins.ts";
import { histogramSpec } from "../plots/histogram.ts";
import type { Plotter } from "../plots/svg.ts";
import { twoBarsSpec } from "../plots/two-bars.ts";
import { type Html, html } from "../text/html.ts";
import { percent, plural, rounded, whole } from "../text/numbers.ts";
import { axisOf, boundTexts, computedText, distanceText, valueText } from "../text/values.ts";
import { plainName, shown, visible } from "../text/visible.ts";
import { badges } from "./name.ts";
import { overFigure } from "./over.ts";
import { shapes } from "./shapes.ts";
import { times, topTable } from "./top.ts";

const NAME = 1000;
const LABEL = 60;
const VALUE = 300;
/** Frequent values that fit below the counts and moments. */
const FEW = 5;

/** Everything that the profile knows about one column. */
export async function card(
  plotter: Plotter,
  profile: ProfileJson,
  i: number,
  notes: readonly Finding[],
): Promise<Html> {
  const column = profile.columns[i]!;
  const { name, type, logical } = column;
  const drawn = together(await figures(plotter, column), await overFigure(plotter, column, profile));
  const frequent = topTable(column);
  const quantiles = spread(column);
  // Three blocks of similar height. Text has its most frequent values where others have a histogram.
  const isShort = column.top.length <= FEW;
  const parts =
    drawn === null
      ? [frequent, facts(column), quantiles]
      : isShort
        ? [drawn, html`<div>${[facts(column), frequent]}</div>`, quantiles]
        : [drawn, html`<div>${[facts(column), quantiles]}</div>`, frequent];
  return html`
<article class="card" id="c${i}" aria-labelledby="n${i}">
<header><h3 id="n${i}">${shown(name, NAME, "(no name)")}</h3><span class="type">${visible(type)}</span>${badges(notes)}<a class="back" href="#columns">All columns</a></header>
${logical.kind === "refused" && html`<p>The values are not counted: ${visible(logical.reason)}.</p>`}<div class="columns${drawn === null && " words"}">${parts.filter((part) => part !== null)}</div>${await shapes(plotter, column)}
</article>`;
}

function together(one: Html | null, other: Html | null): Html | null {
  return one === null || other === null ? (one ?? other) : html`<div>${[one, other]}</div>`;
}

async function figures(plotter: Plotter, column: ColumnJson): Promise<Html | null> {
  const { histogram, core, logical } = column;
  if (histogram === null || !isDrawable(histogram.edges)) return null;
  if (histogram.counts.every((count) => count === 0)) return null;
  const name = plainName(column.name, LABEL);
  if (logical.kind === "boolean") {
    const [falses = 0, trues = 0] = histogram.counts;
    const label = `${name}: false ${whole(falses)}, true ${whole(trues)}`;
    return html`<figure>${await plotter.draw(twoBarsSpec([falses, trues]), label)}</figure>`;
  }
  if (core === undefined) return figure(plotter, column, histogram, `Histogram of ${name}`, "");
  return html`<div>${[
    await figure(
      plotter,
      column,
      core,
      `Histogram of the middle 98% of ${name}`,
      "The middle 98% of the values. ",
    ),
    html`<details><summary>Histogram of all values</summary>${await figure(plotter, column, histogram, `Histogram of all values of ${name}`, "")}</details>`,
  ]}</div>`;
}

async function figure(
  plotter: Plotter,
  column: ColumnJson,
  histogram: HistogramJson,
  label: string,
  lead: string,
): Promise<Html> {
  const { spec, bins } = histogramSpec(column, histogram);
  const edges = bins.edges.map((edge) => edgeText(histogram, edge, column));
  const isWhole = histogram.type === "integer";
  const last = computedText(histogram.edges.at(-1)! - Number(isWhole), column.logical, 1);
  const [from, to] = [edges[0]!, isWhole ? last : edges.at(-1)!];
  const outside = histogram.underflow + histogram.overflow;
  const caption = [
    `${lead}${plural(bins.counts.length, "bin")} from ${from} to ${to}.`,
    ...(outside > 0 ? [`${plural(outside, "value")} outside.`] : []),
  ].join(" ");
  return html`<figure>${await plotter.draw(spec, `${label}, from ${from} to ${to}`)}<figcaption>${caption}</figcaption>${binsTable(bins, edges)}</figure>`;
}

/** The script makes a table of it. */
function binsTable({ counts }: Bins, edges: readonly string[]): Html {
  return html`<details hidden data-edges="${edges.join("|")}" data-counts="${counts.join(" ")}"><summary>Counts of the bins</summary></details>`;
}

function edgeText({ edges }: HistogramJson, edge: number, { logical }: ColumnJson): string {
  return computedText(edges[edge]!, logical, edges[1]! - edges[0]!);
}

/** Counts, extent and moments. */
function facts(column: ColumnJson): Html {
  const { rows, nulls, nan, infinite, distinct, min, max, mean, stddev, lengths, logical } = column;
  const value = (of: number | string) => shown(valueText(of, logical), VALUE, "(empty)");
  const share = (count: number) => `${whole(count)} (${percent(count, rows)})`;
  const isBoolean = logical.kind === "boolean";
  const lines: readonly (readonly [string, string | Html] | false)[] = [
    ["Rows", whole(rows)],
    ["Nulls", nulls === null ? "not known" : nulls === 0 ? "0" : share(nulls)],
    nan > 0 && ["NaN", share(nan)],
    infinite.positive > 0 && ["Infinite", share(infinite.positive)],
    infinite.negative > 0 && ["Minus infinite", share(infinite.negative)],
    distinct !== null && ["Distinct", distinctText(distinct)],
    min !== null && !isBoolean && [logical.kind === "string" ? "First in order" : "Smallest", value(min)],
    max !== null && !isBoolean && [logical.kind === "string" ? "Last in order" : "Largest", value(max)],
    mean !== null && !isBoolean && ["Mean", computedText(mean, logical, stddev ?? 0)],
    stddev !== null && !isBoolean && ["Standard deviation", distanceText(stddev, logical)],
    lengths !== undefined && ["Length", lengthText(lengths)],
    lengths !== undefined && ["Mean length", rounded(lengths.mean)],
  ];
  return html`<div><dl class="facts">${lines
    .filter((line) => line !== false)
    .map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>${bound(column)}</div>`;
}

/** The number of different values. An estimate has two standard errors on each side, within what is certain. */
function distinctText(distinct: DistinctJson): string {
  if (distinct.exact) return whole(distinct.value);
  const { value, atLeast, standardError } = distinct;
  return `≈ ${whole(value)} ± ${percent(2 * standardError, 1)}, at least ${whole(atLeast)}`;
}

function spread(column: ColumnJson): Html | null {
  const { quantiles, logical } = column;
  if (quantiles.length === 0 || logical.kind === "boolean") return null;
  const isBounded = quantiles.some(({ low, high }) => low !== high);
  if (isBounded && axisOf(logical) !== "linear") return boundsAlone(column);
  return html`<table class="quantiles"><caption class="skip">Quantiles</caption><thead><tr><th scope="col">Quantile</th><th scope="col" class="number">Value</th>${isBounded && html`<th scope="col" class="number">Bounds</th>`}</tr></thead><tbody>${quantiles.map(
    ({ p, value, low, high }) =>
      html`<tr><th scope="row">${percentile(p)}</th><td class="number">${value === null ? "" : valueText(value, logical)}</td>${
        isBounded && html`<td class="bounds">${bounds(low, high, logical)}</td>`
      }</tr>`,
  )}</tbody></table>`;
}

/** Times are too long for a table that has both the values and their bounds. */
function boundsAlone({ quantiles, logical }: ColumnJson): Html {
  return html`<table class="quantiles times"><caption class="skip">Quantiles</caption><thead><tr><th scope="col">Quantile</th><th scope="col" class="number">At least</th><th scope="col" class="number">At most</th></tr></thead><tbody>${quantiles.map(
    ({ p, low, high }) => {
      const [from, to] = ends(low, high, logical);
      return html`<tr><th scope="row">${percentile(p)}</th><td class="number">${from}</td><td class="number">${to}</td></tr>`;
    },
  )}</tbody></table>`;
}

function bounds(low: Scalar | null, high: Scalar | null, logical: LogicalType): Html | string {
  if (low === high) return "exact";
  const [from, to] = ends(low, high, logical);
  return html`<span>${from}</span> to <span>${to}</span>`;
}

function ends(low: Scalar | null, high: Scalar | null, logical: LogicalType): readonly [string, string] {
  const [from] = low === null ? ["−∞"] : boundTexts(low, high ?? low, logical);
  const [, to] = high === null ? ["", "∞"] : boundTexts(low ?? high, high, logical);
  return [from, to];
}

/** The bound that holds if no value is frequent. */
function bound({ top, topBound }: ColumnJson): Html | null {
  if (top.length > 0 || topBound === null || topBound === 0) return null;
  return html`<p class="small quiet">No value occurs more than ${times(topBound)}.</p>`;
}

function lengthText({ min, max }: NonNullable<ColumnJson["lengths"]>): string {
  return min === max ? plural(max, "character") : `${whole(min)} to ${plural(max, "character")}`;
}

const NAMES = new Map([
  [0.25, "25%"],
  [0.5, "Median"],
]);

const percentile = (p: number): string => NAMES.get(p) ?? `${Number((p * 100).toPrecision(6))}%`;
