import {
  type ColumnChangeJson,
  type ComparisonJson,
  eventOf,
  type ValueSetJson,
} from "../../compare/index.ts";
import type { ColumnJson, TopJson } from "../../profile/index.ts";
import type { LogicalType } from "../../table/index.ts";
import { isDrawable } from "../plots/bins.ts";
import { overlaySpec } from "../plots/overlay.ts";
import type { Plotter } from "../plots/svg.ts";
import { type Html, html } from "../text/html.ts";
import { percent, plural, rounded, whole } from "../text/numbers.ts";
import { computedText, shortText, distanceText as spanOf, valueText } from "../text/values.ts";
import { plainName, shown, visible } from "../text/visible.ts";

const NAME = 1000;
const LABEL = 60;
const VALUE = 80;
const DIGITS = 3;
/** Values that a card compares, and those that only one side has, at most. */
const MOST_VALUES = 12;
/** If the most frequent value of both sides has a smaller share, values are not listed. */
const RARE = 0.01;
/** If more values are on one side only, none of them is listed. */
const MANY = 100;

/** The distance with its bounds, if they differ. */
export function distanceText({ distance }: ColumnChangeJson): string {
  if (distance === null) return "";
  const [value, low, high] = [distance.value, distance.low, distance.high].map((one) => one.toFixed(DIGITS));
  return low === high ? value! : `${low} to ${high}`;
}

/** Everything that changed in one column. */
export async function changeCard(
  plotter: Plotter,
  change: ColumnChangeJson,
  comparison: ComparisonJson,
  i: number,
): Promise<Html> {
  const [x, y] = [comparison.a.columns[change.a ?? -1] ?? null, comparison.b.columns[change.b ?? -1] ?? null];
  const kind = eventOf(change, comparison);
  const types = [...new Set([x, y].filter((one) => one !== null).map((one) => visible(one.type)))];
  const isOther = kind !== null && change.distance === null;
  const parts = [
    x !== null && y !== null && !isOther ? await picture(plotter, x, y) : null,
    facts(x, y),
    x !== null && y !== null && !isOther ? moved(change, y) : null,
  ];
  return html`
<article class="card" id="c${i}" aria-labelledby="n${i}">
<header><h3 id="n${i}">${shown(change.name, NAME, "(no name)")}</h3><span class="type">${types.join(" to ")}</span>${kind !== null && html`<span class="badge warning">${kind}</span>`}<a class="back" href="#columns">All columns</a></header>
<div class="columns">${parts.filter((part) => part !== null)}</div>
</article>`;
}

/** The histograms of both sides in one picture, or the frequent values of both. */
async function picture(plotter: Plotter, x: ColumnJson, y: ColumnJson): Promise<Html | null> {
  const { logical } = x;
  if (logical.kind === "string" || logical.kind === "boolean") return shares(x, y);
  const [a, b] = [x, y].map(({ histogram }) => histogram);
  if (a == null || b == null || !isDrawable(a.edges)) return null;
  if (a.edges.length !== b.edges.length || a.edges.some((edge, i) => edge !== b.edges[i])) return null;
  const name = plainName(x.name, LABEL);
  return html`<figure>${await plotter.draw(overlaySpec(logical, a, b), `Histograms of ${name} before and after`)}<figcaption>Shares of the values in common bins.</figcaption></figure>`;
}

/** Frequent values with their shares on both sides. */
function shares(x: ColumnJson, y: ColumnJson): Html | null {
  const keyOf = ({ value }: TopJson): string => `${typeof value} ${value}`;
  const counts = (column: ColumnJson) => new Map(column.top.map((one) => [keyOf(one), one.count]));
  const [inA, inB] = [counts(x), counts(y)];
  const all = [...x.top, ...y.top.filter((one) => !inA.has(keyOf(one)))].slice(0, MOST_VALUES);
  const total = ({ rows, nulls }: ColumnJson): number => rows - (nulls ?? 0);
  const isRare = [x, y].every((side) => (side.top[0]?.count ?? 0) < RARE * total(side));
  if (all.length === 0 || isRare) return null;
  const share = (column: ColumnJson, count: number | undefined): string =>
    count !== undefined ? percent(count, total(column)) : column.topBound === 0 ? "0%" : "not listed";
  const width = (column: ColumnJson, count: number | undefined): number =>
    total(column) === 0 ? 0 : Math.round((1000 * (count ?? 0)) / total(column)) / 10;
  return html`<div><table class="top"><caption class="skip">Shares of the most frequent values before and after</caption><thead><tr><th scope="col">Value</th><th scope="col" class="c-bar"><span class="skip">Bars</span></th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th></tr></thead><tbody>${all.map(
    (one) => {
      const [a, b] = [inA.get(keyOf(one)), inB.get(keyOf(one))];
      return html`<tr><th scope="row">${shown(valueText(one.value, x.logical), VALUE, "(empty)", one.clipped === true)}</th><td><svg class="twin" aria-hidden="true"><rect class="a" width="${width(x, a)}%" height="50%"/><rect class="b" y="50%" width="${width(y, b)}%" height="50%"/></svg></td><td class="number">${share(x, a)}</td><td class="number">${share(y, b)}</td></tr>`;
    },
  )}</tbody></table></div>`;
}

/** Counts, extremes and quantiles of both sides. */
function facts(x: ColumnJson | null, y: ColumnJson | null): Html {
  const line = (name: string, text: (column: ColumnJson) => string | null): Html | null => {
    const [before, after] = [x, y].map((side) => (side === null ? "" : (text(side) ?? "")));
    if (before === "" && after === "") return null;
    return html`<tr${before !== after && html` class="moved"`}><th scope="row">${name}</th><td class="number">${before!}</td><td class="number">${after!}</td></tr>`;
  };
  const value =
    (of: (column: ColumnJson) => number | string | null) =>
    (column: ColumnJson): string | null => {
      const found = of(column);
      const text = (one: number | string) =>
        shortText(one, column.logical, Number(column.max) - Number(column.min));
      return found === null || column.logical.kind === "boolean" ? null : plainName(text(found), VALUE);
    };
  const computed =
    (of: (column: ColumnJson) => number | null, text: (value: number, logical: LogicalType) => string) =>
    (column: ColumnJson): string | null => {
      const found = of(column);
      return found === null || column.logical.kind === "boolean" ? null : text(found, column.logical);
    };
  const at = (p: number) =>
    value(({ quantiles }) => quantiles.find((quantile) => quantile.p === p)?.value ?? null);
  const lines = [
    line("Rows", ({ rows }) => whole(rows)),
    line("Nulls", ({ nulls, rows }) => (nulls === null ? "not known" : percent(nulls, rows))),
    line("NaN", ({ nan, rows }) =>
      nan === 0 && (x?.nan ?? 0) + (y?.nan ?? 0) === 0 ? null : percent(nan, rows),
    ),
    line("Distinct", ({ distinct }) =>
      distinct === null ? null : `${distinct.exact ? "" : "≈ "}${whole(distinct.value)}`,
    ),
    line(
      x?.logical.kind === "string" ? "First in order" : "Smallest",
      value(({ min }) => min),
    ),
    line("25%", at(0.25)),
    line("Median", at(0.5)),
    line("75%", at(0.75)),
    line(
      x?.logical.kind === "string" ? "Last in order" : "Largest",
      value(({ max }) => max),
    ),
    line(
      "Mean",
      computed(
        ({ mean }) => mean,
        (mean, logical) => computedText(mean, logical, Math.abs(mean)),
      ),
    ),
    line(
      "Standard deviation",
      computed(({ stddev }) => stddev, spanOf),
    ),
    line("Mean length", ({ lengths }) => (lengths === undefined ? null : rounded(lengths.mean))),
  ];
  return html`<table class="sides"><caption class="skip">Before and after</caption><thead><tr><th scope="col"></th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th></tr></thead><tbody>${lines}</tbody></table>`;
}

/** The distances, and the values that only one side has. */
function moved(change: ColumnChangeJson, { logical }: ColumnJson): Html {
  const { distance, gained, lost } = change;
  const isMeasured = logical.kind === "number" && /^f\d/.test(logical.type);
  const lines: readonly (readonly [string, string] | false)[] =
    distance === null
      ? []
      : [
          [
            distance.method === "total-variation" ? "Total variation" : "Kolmogorov–Smirnov",
            distanceText(change),
          ],
          distance.jensenShannon !== null && ["Jensen–Shannon", distance.jensenShannon.toFixed(DIGITS)],
          distance.wasserstein !== null && ["Wasserstein", spanOf(distance.wasserstein, logical)],
        ];
  const only = (values: ValueSetJson | null, name: string): Html | null => {
    if (values === null || values.distinct === 0 || isMeasured) return null;
    const rest = values.distinct - values.top.length;
    const list = values.distinct > MANY ? [] : values.top;
    return html`<h4>${plural(values.distinct, `${name} value`)} in ${plural(values.rows, "row")}</h4><p class="small">${list.map(
      ({ value }, i) => html`${i > 0 && ", "}${shown(valueText(value, logical), VALUE, "(empty)")}`,
    )}${rest > 0 && list.length > 0 && ` and ${whole(rest)} more`}</p>`;
  };
  return html`<div><dl class="facts">${lines
    .filter((one) => one !== false)
    .map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>${
    distance === null && html`<p class="small quiet">A side has no values, or they are not known.</p>`
  }${only(gained, "new")}${only(lost, "lost")}</div>`;
}
