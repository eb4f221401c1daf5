import type { Call, Row, Spread } from "./row.ts";

/** States the meaning of `inFlight` for kinds of calls whose inputs are not calls in flight. */
const TOGETHER: Partial<Record<Call, string>> = { countAll: "at once", accumulate: "before one take" };

/** Counts things in words: "2 threads". */
export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Names the kind of call: "count, 8 in flight"; null for rows of kernels. */
export function callName({
  call,
  inFlight = 1,
  segments,
}: Pick<Row, "call" | "inFlight" | "segments">): string | null {
  if (call === undefined) return null;
  const of = segments === undefined ? "" : `, ${segments.count} of ${segments.each}`;
  return `${call}${inFlight === 1 ? "" : `, ${inFlight} ${TOGETHER[call] ?? "in flight"}`}${of}`;
}

/** Names a row among others: its algorithm or peer, and the variant. */
export function labelOf(row: Omit<Spread, "worst" | "best" | "worstOverBest" | "ceilingPercent">): string {
  const { peer, algorithm, variant, devices, memory } = row;
  const count = devices === undefined ? undefined : plural(devices, "device");
  const parts = [peer ?? algorithm, peer === "read" ? undefined : variant, callName(row), memory, count];
  return parts.filter(Boolean).join(", ");
}

/** Makes a key that distinguishes any two cells of a result file. */
export function cellKey(row: Omit<Row, "ms" | "gbps" | "exact" | "ceilingPercent">): string {
  const { backend, algorithm, peer, variant, threads, devices, memory } = row;
  const { type, bins, n, distribution, residence, weighted, call, inFlight, segments } = row;
  const { plans: _plans, figures: _figures, ...asked } = weighted ?? {};
  const who = [backend, algorithm, peer, variant, threads, devices, memory];
  // Rows of kernels keep the keys of older files, which had no calls.
  const how = call === undefined && segments === undefined ? [] : [call, inFlight, segments];
  return JSON.stringify([...who, type, bins, n, distribution, residence, asked, ...how]);
}

type Who = Pick<Row, "backend" | "algorithm" | "peer" | "variant" | "threads">;
type What = Pick<Row, "type" | "bins" | "n" | "distribution">;
/** A cell, as far as its name needs it. */
export type Named = Who & What & Pick<Row, "residence" | "call" | "inFlight" | "segments">;

/** Names a contestant: "piscina per-lane, 2 threads". */
export function nameOf({ backend, algorithm, peer, variant, threads }: Who): string {
  const name = peer ?? [backend, algorithm].filter(Boolean).join(" ");
  return [name, variant, threads === undefined ? "" : plural(threads, "thread")].filter(Boolean).join(", ");
}

/** Names data: "u8 gauss, 256 bins, n = 2^22". */
export function dataName({ type, bins, n, distribution }: What): string {
  return `${type} ${distribution}, ${bins} bins, n = ${powerName(n)}`;
}

/** Names a cell, such as `cpu sequential, 1 thread: u8 gauss, 256 bins, n = 2^22, resident`. */
export function cellName(cell: Named): string {
  const how = callName(cell);
  return `${nameOf(cell)}: ${dataName(cell)}, ${cell.residence}${how === null ? "" : `, ${how}`}`;
}

/** The sentence of a result file for a cell that ran out of time. A comparison recognises it, so the cell does not count as lost. */
export function lateLine(cell: Named): string {
  return `${cellName(cell)}: the time was used up`;
}

/** Writes a power of two from 2^10 on as `2^22`. */
export function powerName(n: number): string {
  const exponent = Math.log2(n);
  return Number.isInteger(exponent) && exponent >= 10 ? `2^${exponent}` : String(n);
}
