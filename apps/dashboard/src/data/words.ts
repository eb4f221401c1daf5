import type { Row, RowSummary } from "./types.ts";

/** Variants that only describe a launch do not name a contestant: `256 threads x 2 blocks, 8 replicas`. */
const LAUNCH = /\d+ (threads|invocations) x \d+|loads in flight|^(ldg|ldcs|no_allocate) x\d/;

/** Adapters that compute on the CPU. */
export const SOFTWARE: RegExp = /swiftshader|llvmpipe|lavapipe/i;

/** Names a row among others of its machine: backend, algorithm or peer, and further details that distinguish it. */
export function nameOf(row: RowSummary): string {
  const { peer, algorithm, backend, variant, memory, threads, devices, device = "", weighted } = row;
  const who = peer === null ? `${backend} ${algorithm}` : peer === "read" ? "read only" : peer;
  const details = [
    variant === undefined || LAUNCH.test(variant) ? null : variant,
    weighted === undefined || weighted.precision === "reproducible" || /^fast\b/.test(variant ?? "")
      ? null
      : weighted.precision,
    SOFTWARE.exec(device)?.[0],
    callName(row),
    memory,
    threads === undefined ? null : `${threads} thread${threads === 1 ? "" : "s"}`,
    devices === undefined ? null : `${devices} device${devices === 1 ? "" : "s"}`,
  ].filter((detail) => detail);
  return [who, ...details].join(", ");
}

/** States the meaning of `inFlight` for kinds of calls whose inputs are not calls in flight. */
const TOGETHER: Readonly<Record<string, string>> = { countAll: "at once", accumulate: "before one take" };

/** Names the kind of call: `count, 8 in flight`. Null if calls were not measured one by one, and for peers with one way. */
function callName({
  peer,
  call,
  inFlight,
  segments,
}: Pick<RowSummary, "peer" | "call" | "inFlight" | "segments">): string | null {
  if (call === undefined || (peer !== null && inFlight === undefined && segments === undefined)) return null;
  const together = inFlight === undefined ? "" : `, ${inFlight} ${TOGETHER[call] ?? "in flight"}`;
  return `${call}${together}${segments === undefined ? "" : `, ${segments.count} of ${segments.each}`}`;
}

/** Whether the row measures memory or a bus and counts no histogram. */
export const isCeiling = ({ peer }: RowSummary): boolean => peer === "read" || peer === "copy";

/** Whether the row is ours: neither a peer's nor a ceiling. */
export const isOurs = ({ peer }: RowSummary): boolean => peer === null;

const CPU_BACKENDS: readonly (string | null)[] = ["cpu", "native", "piscina"];

/** Whether the row counts on the CPU. A peer does if it says so, if it names threads and no device, or if its machine has no GPU. */
export function onCpu({ backend, device, threads, file }: Row): boolean {
  if (device !== undefined && SOFTWARE.test(device)) return true;
  if (backend !== null) return CPU_BACKENDS.includes(backend);
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

/** Writes `2²⁰` for powers of two, and digits in groups for other numbers. */
export function sizeOf(n: number): string {
  const power = Math.log2(n);
  if (!Number.isInteger(power) || power < 4) return n.toLocaleString("en");
  return `2${[...String(power)].map((digit) => RAISED[Number(digit)]).join("")}`;
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
