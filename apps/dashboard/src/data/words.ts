import { programOf } from "./programs.ts";
import type { Row, RowSummary } from "./types.ts";

/** Variants that only describe a launch do not name a contestant: `256 threads x 2 blocks, 8 replicas`. */
const LAUNCH = /\d+ (threads|invocations) x \d+|loads in flight|^(ldg|ldcs|no_allocate) x\d/;

/** Adapters that compute on the CPU. */
export const SOFTWARE: RegExp = /swiftshader|llvmpipe|lavapipe/i;

/** Names a row in the words of its file, which a tooltip shows: `cuda per-lane, count, 8 in flight`. */
export function slugOf(row: RowSummary): string {
  const { peer, algorithm, backend, inFlight, call } = row;
  const who = peer ?? `${backend} ${algorithm}`;
  return joined([who, ...variantsOf(row), call, inFlight && `${inFlight} in flight`, ...placeOf(row)]);
}

/** Names a row among others of its file, in words: `CUDA, awaited call`. */
export function nameOf(row: RowSummary): string {
  const { peer, algorithm, call } = row;
  // A call takes the algorithm that its plan chooses.
  const method = peer === null && call === undefined ? algorithmName(algorithm ?? "") : null;
  return joined([programOf(row).name, method, ...variantsOf(row), callName(row), ...placeOf(row)]);
}

const joined = (details: readonly (string | number | null | undefined)[]): string =>
  details.filter((detail) => detail).join(", ");

/** Names that are no words with hyphens between them. */
const ALGORITHMS: Readonly<Record<string, string>> = { trish: "TRISH", global: "global atomics" };

/** Writes an algorithm's slug in words. */
export const algorithmName = (slug: string): string => ALGORITHMS[slug] ?? slug.replaceAll("-", " ");

/** The algorithms that an engine takes for bytes, several columns, segments and weights, if nobody names one. */
const DEFAULTS: readonly (string | null)[] = ["per-lane", "fused", "per-segment", "weighted-fixed-point"];

/** Whether an engine takes an algorithm on its own. */
export const isDefaultSlug = (slug: string | null): boolean => DEFAULTS.includes(slug);

/** Whether a row measured what a call without the option `algorithm` does. */
export const isDefault = ({ peer, algorithm }: RowSummary): boolean =>
  peer === null && isDefaultSlug(algorithm);

/** Places of the samples before a call, in words. */
const RESIDENCES: Readonly<Record<string, string>> = {
  resident: "in memory",
  upload: "upload included",
  file: "from a file",
};

/** Writes where the samples lie: `in memory`, of the device that counts. */
export const residenceName = (residence: string): string => RESIDENCES[residence] ?? residence;

/** Variants of the files whose words say too little. */
const VARIANTS: Readonly<Record<string, string>> = { "counts at home": "counts copied to the host" };

function variantsOf({ variant, weighted }: RowSummary): (string | null)[] {
  return [
    variant === undefined || LAUNCH.test(variant) ? null : (VARIANTS[variant] ?? variant),
    weighted === undefined || weighted.precision === "reproducible" || /^fast\b/.test(variant ?? "")
      ? null
      : weighted.precision,
  ];
}

/** The hardware and the memory, as far as a file has several. */
function placeOf({ device = "", memory, threads, devices }: RowSummary): (string | null | undefined)[] {
  return [
    SOFTWARE.test(device) ? "SwiftShader" : null,
    memory === undefined ? null : (MEMORIES[memory] ?? memory),
    threads === undefined ? null : `${threads} thread${threads === 1 ? "" : "s"}`,
    devices === undefined ? null : `${devices} device${devices === 1 ? "" : "s"}`,
  ];
}

const MEMORIES: Readonly<Record<string, string>> = {
  shared: "shared memory",
  pageable: "pageable memory",
  pinned: "page-locked memory",
  allocated: "memory of the engine",
};

/** Kinds of calls in words, and what a number of them together means. */
const CALLS: Readonly<Record<string, readonly [alone: string, together?: string]>> = {
  count: ["awaited call", "calls in flight"],
  countSync: ["synchronous call"],
  histogram: ["call without preparation"],
  countAll: ["inputs of one call", "inputs of one call"],
  accumulate: ["additions before one result", "additions before one result"],
  segments: ["segments"],
  "segments left": ["segments, counts left on the device"],
};

/** Names the kind of call. Null if calls were not measured one by one, and for peers with one way. */
function callName({ peer, call, inFlight, segments }: RowSummary): string | null {
  if (call === undefined && segments !== undefined) return `${segments.count} of ${segments.each}`;
  if (call === undefined || (peer !== null && inFlight === undefined && segments === undefined)) return null;
  const [alone, together = alone] = CALLS[call] ?? [call];
  const how = inFlight === undefined ? alone : `${inFlight} ${together}`;
  return segments === undefined ? how : `${how}, ${segments.count} of ${segments.each}`;
}

/** Whether the row measures memory or a bus and counts no histogram. */
export const isCeiling = ({ peer }: RowSummary): boolean => peer === "read" || peer === "copy";

/** Whether the row is ours: neither a peer's nor a ceiling. */
export const isOurs = ({ peer }: RowSummary): boolean => peer === null;

const CPU_BACKENDS: readonly (string | null)[] = ["cpu", "native", "piscina"];
/** Programs that know no GPU, also on a machine that has one. */
const CPU_PEERS: readonly string[] = [
  ...["c", "c-threads", "numpy", "opencv", "js-loop", "d3-array", "image-js", "duckdb", "fast-histogram"],
];

/** Whether the row counts on the CPU. A peer that knows GPUs does if it says so, or if its machine has none. */
export function onCpu({ backend, peer, device, threads, file }: Row): boolean {
  if (device !== undefined && SOFTWARE.test(device)) return true;
  if (backend !== null) return CPU_BACKENDS.includes(backend);
  if (peer !== null && CPU_PEERS.includes(peer)) return true;
  return file.machine?.gpu == null || device === "cpu" || (device === undefined && threads !== undefined);
}

/**
 * Names the memory that a row's data came from. A share is a share of this memory's ceiling: that of the fastest kernel
 * that only reads, or of a plain copy over the bus.
 */
export function memoryOf(row: Row): string {
  if (row.residence === "file") return "storage";
  if (onCpu(row)) return "host memory";
  if (row.residence !== "upload") return "device memory";
  return row.memory === "pinned" ? "bus from page-locked memory" : "bus from pageable memory";
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Raises the exponents of a text: `2²⁶` for `2^26`. */
export const raised = (text: string): string =>
  text.replace(/(?<=\d)\^(\d+)/g, (_, power: string) =>
    [...power].map((digit) => RAISED[Number(digit)]).join(""),
  );

/** Writes `2²⁰` for powers of two, and digits in groups for other numbers. */
export function sizeOf(n: number): string {
  const power = Math.log2(n);
  if (!Number.isInteger(power) || power < 4) return n.toLocaleString("en");
  return raised(`2^${power}`);
}

/** Writes three significant digits, or a whole number from 100 on. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1);
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString("en")
    : String(Number(value.toPrecision(3)));
}

export const percent = (value: number | null): string => (value === null ? "–" : `${figure(value)}%`);

/** Writes worst over best; one distribution alone has none. */
export const ratio = (value: number | null): string => (value === null ? "–" : value.toFixed(3));

/** Says whether all rows are exact, or the largest error as a share of its bin's sum of |weight|. Fast sums may be exact by chance. */
export function exactness(rows: readonly RowSummary[]): string {
  const inexact = rows.filter(({ exact }) => !exact);
  if (inexact.length === 0) return "yes";
  const most = Math.max(...inexact.map(({ offBy = Number.NaN }) => offBy));
  if (Number.isNaN(most)) return "no";
  return most === 0 ? "no error here" : `error up to ${figure(most)}`;
}

/** `u8, 256 bins`. */
export const kindOf = ({ type, bins }: RowSummary): string => `${type}, ${bins.toLocaleString("en")} bins`;
