import type { Axis } from "@polybin/core";
import { codesOf, FLOW } from "./definition.ts";
import { counterKey } from "./name.ts";
import { axisOf } from "./over.ts";
import { countedPixels, type Data, extentOf, regionOf } from "./samples.ts";
import { documentsOf, type Selected, selected, tableValues, weightsOf } from "./selecting.ts";
import type { ColumnOf, CounterOf, Numbers, Select, Step, Weighing } from "./step.ts";

/** The totals of counters, which outlive a step. */
export type Totals = Map<string, Float64Array[]>;

/** Counts a step by the definition, in plain loops. Null: the step has no numbers. */
export function expectedOf(step: Step, totals: Totals): Numbers | null {
  switch (step.kind) {
    case "histogram":
      return alone(step) ?? jointly([step], step.select, step.weights);
    case "joint":
      return jointly(step.columns, step.select, step.weights);
    case "histograms": {
      const { data, channels, over } = step;
      return named(
        channels.map((channel, i) =>
          histogram(data, channel, axisOf(Array.isArray(over) ? over[i]! : over, data, channels)),
        ),
      );
    }
    case "segments":
      return segments(step);
    case "stream":
      return { counts: histogram(step.data, step.channel, axisOf(step.over, step.data, [step.channel])) };
    case "counter":
      return counted(step, totals);
    case "take":
      return taken(step.of, totals);
    case "sums":
      return sums(step);
    case "extent":
      return {
        extent: extentOf(
          step.data,
          Array.from({ length: step.data.channels }, (_, i) => i),
        ),
      };
    case "free":
      totals.delete(counterKey(step.of));
      return null;
    case "reopen":
      totals.clear();
      return null;
    case "together": {
      const all = step.steps.map((one, i) =>
        Object.entries(expectedOf(one, totals) ?? {}).map(([name, row]) => [`${i} ${name}`, row]),
      );
      return Object.fromEntries(all.flat());
    }
    default:
      return null;
  }
}

function named(rows: readonly ArrayLike<number>[]): Numbers {
  return Object.fromEntries(rows.map((row, i) => [`counts ${i}`, row]));
}

/** The counts of one channel: its bins, underflow, overflow, NaN. */
function histogram(data: Data, channel: number, axis: Axis): Float64Array {
  const out = new Float64Array(axis.bins + FLOW);
  const codes = codesOf(data, channel, axis);
  for (let i = 0; i < codes.length; i++) out[codes[i]!]!++;
  return out;
}

/** The counts of one column without a selection or weights, which most steps ask for. Null: the step has more. */
function alone({
  data,
  channel,
  over,
  select,
  weights,
}: Extract<Step, { kind: "histogram" }>): Numbers | null {
  if (select !== null || weights !== null) return null;
  return { counts: histogram(data, channel, axisOf(over, data, [channel])), masked: [0] };
}

/** The cells of columns, with all three cells of flow on every axis and none on that of groups. */
function jointly(columns: readonly ColumnOf[], select: Select | null, weights: Weighing | null): Numbers {
  const n = countedPixels(columns[0]!.data);
  const of = selected(select, n);
  const groups = of.groups === null ? 1 : select!.by!.groups;
  const axes = columns.map(({ data, over, channel }) => axisOf(over, data, [channel]));
  const all = columns.map(({ data, channel }, k) => codesOf(data, channel, axes[k]!));
  const size = axes.reduce((product, { bins }) => product * (bins + FLOW), groups);
  const cellOf = (i: number): number => {
    let cell = of.groups === null ? 0 : of.groups[i]!;
    for (let k = 0; k < all.length; k++) cell = cell * (axes[k]!.bins + FLOW) + all[k]![i]!;
    return cell;
  };
  const cells = new Float64Array(size);
  each(of, n, (i) => cells[cellOf(i)]!++);
  const masked = { masked: [of.masked] };
  if (weights === null) return { counts: cells, ...masked };
  const own = weightsOf(weights, n);
  const added = new Float64Array(size);
  const squares = new Float64Array(size);
  each(of, n, (i) => {
    const cell = cellOf(i);
    added[cell]! += own[i]!;
    squares[cell]! += own[i]! ** 2;
  });
  return { counts: cells, sums: added, ...(weights.squares ? { squares } : {}), ...masked };
}

function each({ counted }: Selected, n: number, use: (pixel: number) => void): void {
  if (counted === null) for (let i = 0; i < n; i++) use(i);
  else for (let i = 0; i < counted.length; i++) use(counted[i]!);
}

function segments({ data, channel, over, cut }: Extract<Step, { readonly kind: "segments" }>): Numbers {
  const axis = axisOf(over, data, [channel]);
  const codes = codesOf(data, channel, axis);
  const { width, height } = regionOf(data);
  const of = segmentOf(cut, width, height);
  const rows = axis.bins + FLOW;
  const all = new Float64Array(of.count * rows);
  for (let i = 0; i < codes.length; i++) {
    const segment = of.at(i);
    if (segment >= 0) all[segment * rows + codes[i]!]!++;
  }
  const part = (from: number, to: number): Float64Array => {
    const out = new Float64Array(of.count * (to - from));
    for (let s = 0; s < of.count; s++) out.set(all.subarray(s * rows + from, s * rows + to), s * (to - from));
    return out;
  };
  const { bins } = axis;
  return {
    counts: part(0, bins),
    underflow: part(bins, bins + 1),
    overflow: part(bins + 1, bins + 2),
    nan: part(bins + 2, bins + 3),
  };
}

interface SegmentOf {
  readonly count: number;
  /** The segment of a pixel; -1: none. */
  at(pixel: number): number;
}

function segmentOf(
  { every, offsets, tiles }: Extract<Step, { readonly kind: "segments" }>["cut"],
  width: number,
  height: number,
): SegmentOf {
  if (every !== undefined) {
    return { count: Math.ceil((width * height) / every), at: (i) => Math.floor(i / every) };
  }
  if (tiles !== undefined) {
    const across = Math.ceil(width / tiles.width);
    const row = (i: number) => Math.floor(Math.floor(i / width) / tiles.height);
    const at = (i: number) => row(i) * across + Math.floor((i % width) / tiles.width);
    return { count: across * Math.ceil(height / tiles.height), at };
  }
  const all = Array.from(offsets!);
  const count = all.length - 1;
  return {
    count,
    at: (i) => (i < all[0]! || i >= all[count]! ? -1 : all.findLastIndex((from) => from <= i)),
  };
}

function counted(
  { of, way, inputs }: Extract<Step, { readonly kind: "counter" }>,
  totals: Totals,
): Numbers | null {
  const all = inputs.flatMap((data) =>
    of.channels.map((channel) => histogram(data, channel, axisOf(of.over, data, of.channels))),
  );
  if (way !== "accumulate") return named(all);
  const before = totals.get(counterKey(of));
  totals.set(
    counterKey(of),
    all.map((row, i) => (before === undefined ? row : row.map((count, bin) => count + before[i]![bin]!))),
  );
  return null;
}

function taken(of: CounterOf, totals: Totals): Numbers {
  const key = counterKey(of);
  const found = totals.get(key);
  totals.delete(key);
  const data: Data = {
    type: of.type,
    pixels: 0,
    channels: of.interleaved,
    seed: 0,
    form: "array",
    picture: null,
  };
  return named(
    found ?? of.channels.map((channel) => histogram(data, channel, axisOf(of.over, data, of.channels))),
  );
}

function sums(step: Extract<Step, { readonly kind: "sums" }>): Numbers {
  const { table, documents, counts, squares } = step;
  const values = tableValues(table);
  const weights = weightsOf({ seed: step.weights, bits: 32 }, table.documents);
  const which = documents === null ? weights.keys() : documentsOf(table, documents);
  const all = table.bins.map((bins) => ({
    counts: new Float64Array(bins),
    sums: new Float64Array(bins),
    squares: new Float64Array(bins),
  }));
  for (const i of which) {
    for (let feature = 0; feature < all.length; feature++) {
      const bin = values[feature * table.documents + i]!;
      const of = all[feature]!;
      of.counts[bin]!++;
      of.sums[bin]! += weights[i]!;
      of.squares[bin]! += weights[i]! ** 2;
    }
  }
  return Object.fromEntries(
    all.flatMap((of, feature) => [
      ...(counts ? [[`counts ${feature}`, of.counts]] : []),
      [`sums ${feature}`, of.sums],
      ...(squares ? [[`squares ${feature}`, of.squares]] : []),
    ]),
  );
}
