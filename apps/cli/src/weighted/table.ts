import { wrapAnsi } from "fast-wrap-ansi";
import { duration, edge, inputName, plural, printable, whole } from "../base/index.ts";
import { type Page, stdoutPage } from "../terminal/index.ts";
import type { FeatureList, WeightedResult } from "./add-up.ts";
import type { FeatureResult } from "./feature-sums.ts";
import { algorithmOf } from "./json.ts";
import { type Split, splitOf } from "./split.ts";

/** The most features in the table. */
const LISTED = 20;
/** The most columns of a curve, and the fewest. */
const WIDEST = 32;
const NARROWEST = 8;
/** Characters of the two means next to it, if there is room for them. */
const NUMBERS = 16;
const LEVELS = "▁▂▃▄▅▆▇█";
const HEADER = ["feature", "bins", "fullest", "best split", "explains"];
/** Columns that are left out on a narrow terminal, in this order. */
const DISPENSABLE = ["fullest", "bins"];
const CURVES = ["mean weight along the bins", "mean weight", "means"];
const GAP = "  ";

/** One feature of the table. */
interface Row {
  readonly feature: FeatureResult;
  readonly split: Split | null;
}

/** The result as a table for a terminal. */
export function toTable(result: WeightedResult, byAuto: boolean, { width }: Page = stdoutPage()): string {
  const listed = tellingOf(result.features);
  const cells = listed.map((row) => cellsOf(row, result.weights.spread));
  const left = fitting([HEADER, ...cells], width - GAP.length - NARROWEST);
  const room = Math.max(NARROWEST, width - left[0]!.length - GAP.length);
  const curves = listed.map(({ feature }) => curve(feature, room));
  const heading = CURVES.find((text) => text.length <= room)!;
  const wrapped = (lines: readonly string[]) => lines.map((line) => wrapAnsi(line, width));
  return [
    ...wrapped(title(result)),
    "",
    ...[heading, ...curves].map((last, i) => `${left[i]}${GAP}${last}`),
    "",
    ...wrapped(rest(result.features.length - listed.length)),
    ...wrapped(work(result, byAuto)),
    "",
  ].join("\n");
}

/** The lines of a table without the columns that do not fit. */
function fitting(rows: readonly (readonly string[])[], width: number): string[] {
  let kept = HEADER;
  const lines = () => aligned(rows.map((row) => kept.map((name) => row[HEADER.indexOf(name)]!)));
  for (const name of DISPENSABLE) {
    if (lines()[0]!.length <= width) break;
    kept = kept.filter((other) => other !== name);
  }
  return lines();
}

/** The features whose best split explains most, in descending order. Of equals the first in the file comes first. */
function tellingOf(features: FeatureList): Row[] {
  const gainOf = ({ split }: Row) => split?.gain ?? 0;
  let best: Row[] = [];
  for (const feature of features) {
    const row = { feature, split: splitOf(feature) };
    if (best.length === LISTED && gainOf(row) <= gainOf(best.at(-1)!)) continue;
    best = [...best, row].sort((a, b) => gainOf(b) - gainOf(a)).slice(0, LISTED);
  }
  return best;
}

function title({ name, documents, values, features, weights, quantum }: WeightedResult): string[] {
  const { least, largest, mean } = weights;
  const share = percent(values / (documents * features.length));
  const from = weights.name === null ? "the labels" : inputName(weights.name);
  const exactness =
    quantum === null ? "32-bit floats" : `each rounded to a multiple of 2^${Math.log2(quantum)}`;
  return [
    `${inputName(name)}  ${plural(documents, "document")}, ${plural(features.length, "feature")}, ` +
      `${plural(values, "value")} (${share}; others are 0)`,
    `weights: ${from}, ${edge(least)} to ${edge(largest)}, mean ${edge(mean)}; ${exactness}`,
  ];
}

function cellsOf({ feature, split }: Row, spread: number): string[] {
  const { index, counts } = feature;
  const [, fullest] = extent(counts);
  return [
    String(index),
    whole(counts.length),
    percent(fullest / sum(counts)),
    split === null ? "none" : `< ${edge(split.at)}`,
    split === null || spread === 0 ? "" : percent(Math.max(0, split.gain) / spread),
  ];
}

/** Cells to the right of their columns, every line of one length. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)).join(GAP));
}

/** The mean weights of neighbouring bins as a curve, between the smallest and the largest mean. */
function curve({ counts, sums }: FeatureResult, room: number): string {
  const isWide = room >= NARROWEST + NUMBERS;
  const columns = Math.min(counts.length, WIDEST, isWide ? room - NUMBERS : room);
  const means = Array.from({ length: columns }, (_, i) => {
    const [from, to] = [0, 1].map((by) => Math.floor(((i + by) * counts.length) / columns));
    return sum(sums.subarray(from, to)) / sum(counts.subarray(from, to));
  });
  const [least, largest] = extent(means);
  const level = (mean: number) =>
    largest > least ? Math.round(((mean - least) / (largest - least)) * (LEVELS.length - 1)) : 0;
  const drawn = means.map((mean) => LEVELS[level(mean)]).join("");
  if (columns === 1) return short(least);
  return isWide ? `${short(least)} ${drawn} ${short(largest)}` : drawn;
}

function rest(more: number): string[] {
  const all = "--json prints the edges, counts and sums of all bins";
  return [more > 0 ? `${plural(more, "more feature")} explain less; ${all}` : all];
}

function work({ features, backend, device, timings, documents }: WeightedResult, byAuto: boolean): string[] {
  const values = features.length * documents;
  if (backend === null || device === null)
    return [`${algorithmOf(features)}; ${plural(values, "value")}, merged from shards`];
  const millions = Math.round(values / timings.kernelMs / 1e3);
  const rate = millions > 0 && Number.isFinite(millions) ? ` (${whole(millions)} million values/s)` : "";
  return [
    `${backend} (${printable(device)}), ${algorithmOf(features)}${byAuto ? "; chosen by auto" : ""}`,
    `${plural(values, "value")} added up in ${duration(timings.kernelMs)}${rate}, ` +
      `${duration(timings.totalMs)} in total`,
  ];
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function extent(values: Iterable<number>): [number, number] {
  let [least, largest] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  return [least, largest];
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)}%`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
