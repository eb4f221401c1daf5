import type { Row, RowSummary } from "./types.ts";

/** What a variant says of the launch alone is no name of a contestant: `256 threads x 2 blocks, 8 replicas`. */
const LAUNCH = /\d+ (threads|invocations) x \d+|loads in flight|^(ldg|ldcs|no_allocate) x\d/;

/** Adapters that compute on the CPU. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe/i;

/** What a row is called beside others of its machine: backend, algorithm or peer, and what else tells them apart. */
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

/** How it is called: `count, 8 in flight`; null where calls were not measured one by one, and of peers, which have one way. */
function callName({
  peer,
  call,
  inFlight,
  segments,
}: Pick<RowSummary, "peer" | "call" | "inFlight" | "segments">): string | null {
  if (call === undefined || (peer !== null && inFlight === undefined && segments === undefined)) return null;
  const together =
    inFlight === undefined ? "" : `, ${inFlight} ${call === "countAll" ? "at once" : "in flight"}`;
  return `${call}${together}${segments === undefined ? "" : `, ${segments.count} of ${segments.each}`}`;
}

/** Is it what memory or a bus can do, and no histogram? */
export const isCeiling = ({ peer }: RowSummary): boolean => peer === "read" || peer === "copy";

/** Our own, not somebody else's and no ceiling. */
export const isOurs = ({ peer }: RowSummary): boolean => peer === null;

const CPU_BACKENDS: readonly (string | null)[] = ["cpu", "piscina"];

/** Does it count on the CPU? Of peers those that say so, or how many threads they have and no device, or whose machine has no GPU. */
export function onCpu({ backend, device, threads, file }: Row): boolean {
  if (device !== undefined && SOFTWARE.test(device)) return true;
  if (backend !== null) return CPU_BACKENDS.includes(backend);
  return file.machine?.gpu == null || device === "cpu" || (device === undefined && threads !== undefined);
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `2²⁰` for powers of two, digits in groups for the rest. */
export function sizeOf(n: number): string {
  const power = Math.log2(n);
  if (!Number.isInteger(power) || power < 4) return n.toLocaleString("en");
  return `2${[...String(power)].map((digit) => RAISED[Number(digit)]).join("")}`;
}

/** Three significant digits, or whole. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1);
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString("en")
    : String(Number(value.toPrecision(3)));
}

export const percent = (value: number | null): string => (value === null ? "–" : `${figure(value)}%`);

/** Worst over best; of one distribution alone there is none. */
export const ratio = (value: number | null): string => (value === null ? "–" : value.toFixed(3));

/** Of measured rows together: are all exact, or how far is the worst off, as a share of its bin's sum of |weight|? Fast sums may turn out right. */
export function exactness(rows: readonly RowSummary[]): string {
  const inexact = rows.filter(({ exact }) => !exact);
  if (inexact.length === 0) return "yes";
  const most = Math.max(...inexact.map(({ offBy = Number.NaN }) => offBy));
  if (Number.isNaN(most)) return "no";
  return most === 0 ? "none off here" : `off by ${figure(most)}`;
}

/** `u8, 256 bins`. */
export const kindOf = ({ type, bins }: RowSummary): string => `${type}, ${bins.toLocaleString("en")} bins`;
