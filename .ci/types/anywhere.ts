// A program with all packages, which needs neither a page's types nor Node's.
import {
  type Bounded,
  claheTables,
  equalize,
  median,
  mutualInformation,
  type Table,
} from "@polybin/analysis";
import { conformanceCases } from "@polybin/conformance";
import {
  type Axis,
  type Backend,
  cpu,
  type Engine,
  fileSamples,
  type Histogram,
  type HistogramOptions,
  indices,
  integer,
  type JointHistogram,
  openEngine,
  quantiles,
  regular,
  type SamplesInit,
  variable,
} from "@polybin/core";
import { multithreaded } from "@polybin/core/multithreaded";
import { cuda, pinned } from "@polybin/cuda";
import { native } from "@polybin/native";
import { piscina } from "@polybin/piscina";
import { webgpu } from "@polybin/webgpu";
import { histogram, joint, profile } from "polybin";

const backends: readonly Backend[] = [
  cuda({ devices: "all" }),
  webgpu({ powerPreference: "low-power" }),
  native({ threads: 2 }),
  piscina({ threads: 2 }),
  multithreaded({ threads: 2 }),
  cpu(),
];
export const engine: Engine = await openEngine({ backends });

const samples = [
  Uint8Array.of(1),
  new Uint8ClampedArray(1),
  Int8Array.of(1),
  Uint16Array.of(1),
  Int16Array.of(1),
  Uint32Array.of(1),
  Int32Array.of(1),
  Float32Array.of(1),
  Float64Array.of(1),
  new DataView(new ArrayBuffer(8)),
  new ArrayBuffer(8),
  new SharedArrayBuffer(8),
  pinned(8),
  [1, 2, 3],
] as const;
for (const data of samples) {
  const h: Histogram = await engine.histogram(data, { bins: 10, range: [0, 1] });
  const counts: Float64Array = h.counts;
  const init: SamplesInit = { data, channels: 1, region: { x: 0, y: 0, width: 1, height: 1 } };
  await engine.histograms(init, {
    axis: regular(10, 0, 1),
    algorithm: "auto",
    onProgress: ({ done }) => done,
  });
  await engine.histogram(init, { range: "data", channel: counts.length });
  await using resident = await engine.upload(init);
  await engine.histogram(resident, { axis: integer(0, 256) });
}
const weighted = await engine.histogram([1, 2], { weights: [0.5, 0.5], axis: variable([0, 1, 2]) });
export const sums: Float64Array = weighted.sums;
const table = await engine.table({ values: Uint8Array.of(0, 1), features: 1, documents: 2, bins: 2 });
export const counts: readonly Float64Array[] = (await table.sums([1, 2])).counts;
indices(quantiles(4, Float32Array.of(1, 2)), [1, 2]);
await engine.histogram(fileSamples({ path: "x", bytes: 4, type: "f32" }));
async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1);
}
await engine.histogram(pieces(), { type: "u8" });
conformanceCases(cpu(), { filter: ({ topic }) => topic === "defaults" });

const whole: Histogram = await engine.histogram(Uint8Array.of(1));
export const middle: Bounded = median(whole, { flow: false });
export const toneTable: Table = equalize(whole);
export const tileTables: Table = claheTables(await engine.segments(Uint8Array.of(1), { every: 1 }));
export const shared: number = mutualInformation({ counts: new Float64Array(1), shape: [1, 1] });

await engine.histogram(new BigInt64Array(1));
await engine.histogram({ data: new BigUint64Array(1) });
indices(integer(0, 1), new BigInt64Array(1));

// What cannot be counted does not compile.
// @ts-expect-error a text
await engine.histogram("photo.png");
// @ts-expect-error backends instead of options
await openEngine([piscina()]);
// @ts-expect-error a slip of the pen
await openEngine({ backnds: [] });
// @ts-expect-error the same
piscina({ workers: 2 });
// @ts-expect-error the same
cuda({ devcie: 0 });
// @ts-expect-error the same
native({ workers: 2 });
// @ts-expect-error a range of three
await engine.histogram([1], { range: [0, 1, 2] });
// @ts-expect-error an axis has its bins
await engine.histogram([1], { axis: integer(0, 4), bins: 4 });
// @ts-expect-error an axis has its range
await engine.histogram([1], { axis: integer(0, 4), range: "data" });
// @ts-expect-error the same with weights
await engine.histogram([1], { axis: integer(0, 4), bins: 4, weights: [1] });
// @ts-expect-error the same for several channels
await engine.histograms([1], { axis: integer(0, 4), nice: true });
// @ts-expect-error the same for a counter
await engine.prepare({ axis: integer(0, 4), bins: 4 });
// @ts-expect-error a parameter of an algorithm that is not named
await engine.histogram([1], { k: 15 });
await engine.histogram([1], { algorithm: "trish", k: 15 });
declare const perhaps: { readonly axis?: Axis; readonly algorithm?: string };
await engine.histogram([1], perhaps);
declare const options: HistogramOptions;
await engine.histogram([1], options);

// Tables by the names of their columns.
const fares: Histogram = await histogram("trips.csv", { column: "fare", bins: 100 });
export const fareCounts: Float64Array = (await histogram("trips.csv", { column: "fare" })).counts;
const grouped = await histogram("trips.csv", { column: "fare", by: "vendor", separator: ";" });
export const vendor: Float64Array = grouped.of("A").counts;
export const keys: readonly (string | number | bigint | boolean | null)[] = grouped.keys;
const tips = await histogram("trips.csv", { weights: "tip", range: [0, 1] });
export const tipSums: Float64Array = tips.sums;
const [first, second] = await histogram("trips.csv", { weights: ["tip", "toll"], by: "vendor" });
export const tolls: Float64Array = second.at(0).sums;
export const inBytes: Promise<Histogram> = histogram(Uint8Array.of(1), { column: "fare", format: "csv" });
export const inMemory: Promise<Histogram> = histogram(Uint8Array.of(1), { bins: 3 });
const pair: JointHistogram = await joint("trips.csv", {
  columns: ["fare", "tip"],
  axes: [{ bins: 3 }, { bins: 4 }],
});
export const cells: number = pair.counts.length + fares.counts.length + first.groups;
export const rows: number = (await profile("trips.csv", { bins: 10 })).rows;
// @ts-expect-error a slip of the pen
await histogram("trips.csv", { colum: "fare" });
// @ts-expect-error an array has no columns
await histogram([1, 2], { column: "fare" });
// @ts-expect-error a name, not its values
await histogram("trips.csv", { column: "fare", mask: Uint8Array.of(1) });
// @ts-expect-error an axis has its bins
await histogram("trips.csv", { column: "fare", axis: integer(0, 4), bins: 4 });
