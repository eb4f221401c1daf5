import { callName, type Row } from "./row.ts";

/** What tells two cells of any result file apart. */
export function cellKey(row: Omit<Row, "ms" | "gbps" | "exact" | "ceilingPercent">): string {
  const { backend, algorithm, peer, variant, threads, devices, memory } = row;
  const { type, bins, n, distribution, residence, weighted, call, inFlight, segments } = row;
  const { plans: _plans, figures: _figures, ...asked } = weighted ?? {};
  const who = [backend, algorithm, peer, variant, threads, devices, memory];
  // Rows of kernels have the keys that they had before there were calls.
  const how = call === undefined && segments === undefined ? [] : [call, inFlight, segments];
  return JSON.stringify([...who, type, bins, n, distribution, residence, asked, ...how]);
}

/** A contestant in words: "piscina per-lane, 2 threads". */
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

/** Data in words: "u8 gauss, 256 bins, n = 2^22". */
export function dataName({
  type,
  bins,
  n,
  distribution,
}: Pick<Row, "type" | "bins" | "n" | "distribution">): string {
  return `${type} ${distribution}, ${bins} bins, n = ${powerName(n)}`;
}

/** A cell in words: "cpu sequential, 1 thread: u8 gauss, 256 bins, n = 2^22, resident". */
export function cellName(
  cell: Parameters<typeof nameOf>[0] &
    Parameters<typeof dataName>[0] &
    Pick<Row, "residence"> &
    Parameters<typeof callName>[0],
): string {
  const how = callName(cell);
  return `${nameOf(cell)}: ${dataName(cell)}, ${cell.residence}${how === null ? "" : `, ${how}`}`;
}

/** What a result file says of a cell that there was no time for; a comparison knows by it that the cell is not lost. */
export function lateLine(cell: Parameters<typeof cellName>[0]): string {
  return `${cellName(cell)}: the time was used up`;
}

/** 2^22 where it is a power of two. */
export function powerName(n: number): string {
  const exponent = Math.log2(n);
  return Number.isInteger(exponent) && exponent >= 10 ? `2^${exponent}` : String(n);
}
