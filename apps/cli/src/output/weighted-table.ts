import type { FeatureResult, FeatureSums } from "../feature-sums.ts";
import type { WeightedResult } from "../weighted.ts";
import { type Page, stdoutPage } from "./chart.ts";
import { type Split, splitOf } from "./split.ts";
import { algorithmOf } from "./weighted-json.ts";
import { edge, milliseconds, plural, printable, whole } from "./words.ts";

/** Features that are listed, those first that tell most of the weights. */
const LISTED = 20;
/** Columns of a curve at the most, and at the least where a terminal is narrow. */
const WIDEST = 32;
const NARROWEST = 8;
/** Characters of the two means beside it. */
const NUMBERS = 16;
const LEVELS = "▁▂▃▄▅▆▇█";
const HEADER = ["feature", "bins", "fullest", "best split", "explains"];
const CURVE = "mean weight along the bins";
const GAP = "  ";

/** One feature as a line shows it. */
interface Row {
  readonly feature: FeatureResult;
  readonly split: Split | null;
}

/** The result as a table for a terminal. */
export function toTable(result: WeightedResult, page: Page = stdoutPage()): string {
  const listed = tellingOf(result.features);
  const spread = varianceOf(result.weights.values);
  const cells = listed.map((row) => cellsOf(row, spread));
  const left = aligned([HEADER, ...cells]);
  const room = page.width - left[0]!.length - GAP.length;
  const curves = listed.map(({ feature }) => curve(feature, room));
  return [
    ...title(result),
    "",
    ...[CURVE, ...curves].map((last, i) => `${left[i]}${GAP}${last}`),
    "",
    ...rest(result.features.length - listed.length),
    ...work(result),
    "",
  ].join("\n");
}

/** The features that tell most, those first that tell more; the first of several that tell as much. */
function tellingOf(features: FeatureSums): Row[] {
  const told = ({ split }: Row) => split?.gain ?? 0;
  let best: Row[] = [];
  for (const feature of features) {
    const row = { feature, split: splitOf(feature) };
    if (best.length === LISTED && told(row) <= told(best.at(-1)!)) continue;
    best = [...best, row].sort((a, b) => told(b) - told(a)).slice(0, LISTED);
  }
  return best;
}

function title({ documents, weights, quantum }: WeightedResult): string[] {
  const { name, labels, features } = documents;
  const written = features.values;
  const share = percent(written / (labels.length * features.length));
  const [least, largest] = extent(weights.values);
  const mean = sum(weights.values) / labels.length;
  const from = weights.name === null ? "the labels" : printable(weights.name);
  const exactness = quantum === null ? "32-bit floats" : `each to the nearest 2^${Math.log2(quantum)}`;
  return [
    `${printable(name)}  ${plural(labels.length, "document")}, ${plural(features.length, "feature")}, ` +
      `${plural(written, "value")} (${share}, the others are 0)`,
    `weights: ${from}, ${edge(least)} to ${edge(largest)}, ${edge(mean)} in the mean; ${exactness}`,
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

/** The mean weight of the documents of some neighbouring bins after the other, between its least and its largest. */
function curve({ counts, sums }: FeatureResult, room: number): string {
  const columns = Math.min(counts.length, Math.max(NARROWEST, Math.min(WIDEST, room - NUMBERS)));
  const means = Array.from({ length: columns }, (_, i) => {
    const [from, to] = [0, 1].map((by) => Math.floor(((i + by) * counts.length) / columns));
    return sum(sums.subarray(from, to)) / sum(counts.subarray(from, to));
  });
  const [least, largest] = extent(means);
  const level = (mean: number) =>
    largest > least ? Math.round(((mean - least) / (largest - least)) * (LEVELS.length - 1)) : 0;
  const drawn = means.map((mean) => LEVELS[level(mean)]).join("");
  return columns === 1 ? short(least) : `${short(least)} ${drawn} ${short(largest)}`;
}

function rest(more: number): string[] {
  const all = "--json prints the edges, counts and sums of all bins";
  return [more > 0 ? `${plural(more, "more feature")} explain less; ${all}` : all];
}

function work({ features, backend, device, timings, documents }: WeightedResult): string[] {
  const values = features.length * documents.labels.length;
  const millions = Math.round(values / timings.kernelMs / 1e3);
  const rate = millions > 0 && Number.isFinite(millions) ? ` (${whole(millions)} million a second)` : "";
  return [
    `${backend} (${device}), ${algorithmOf(features)}`,
    `${plural(values, "value")} added up in ${milliseconds(timings.kernelMs)}${rate}, ` +
      `${milliseconds(timings.totalMs)} in all`,
  ];
}

/** Of all weights: what splits can explain. */
function varianceOf(weights: Float32Array): number {
  const mean = sum(weights) / weights.length;
  return weights.reduce((total, weight) => total + (weight - mean) ** 2, 0);
}

function sum(values: Float32Array | Float64Array): number {
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
