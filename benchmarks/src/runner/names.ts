import { callName, type Row } from "./row.ts";

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

/** Names a contestant: "piscina per-lane, 2 threads". */
export function nameOf({
  backend,
  algorithm,
  peer,
  variant,
  threads,
}: Pick<Row, "backend" | "algorithm" | "peer" | "variant" | "threads">): string {
  const name = peer ?? [backend, algorithm].filter(Boolean).join(" ");
  const count = threads === undefined ? undefined : `${threads} thread${threads === 1 ? "" : "s"}`;
  return [name, variant, count].filter(Boolean).join(", ");
}

/** Names data: "u8 gauss, 256 bins, n = 2^22". */
export function dataName({
  type,
  bins,
  n,
  distribution,
}: Pick<Row, "type" | "bins" | "n" | "distribution">): string {
  return `${type} ${distribution}, ${bins} bins, n = ${powerName(n)}`;
}

/** Names a cell, such as `cpu sequential, 1 thread: u8 gauss, 256 bins, n = 2^22, resident`. */
export function cellName(
  cell: Parameters<typeof nameOf>[0] &
    Parameters<typeof dataName>[0] &
    Pick<Row, "residence"> &
    Parameters<typeof callName>[0],
): string {
  const how = callName(cell);
  return `${nameOf(cell)}: ${dataName(cell)}, ${cell.residence}${how === null ? "" : `, ${how}`}`;
}

/** The sentence of a result file for a cell that ran out of time. A comparison recognises it, so the cell does not count as lost. */
export function lateLine(cell: Parameters<typeof cellName>[0]): string {
  return `${cellName(cell)}: the time was used up`;
}

/** Writes a power of two from 2^10 on as `2^22`. */
export function powerName(n: number): string {
  const exponent = Math.log2(n);
  return Number.isInteger(exponent) && exponent >= 10 ? `2^${exponent}` : String(n);
}
