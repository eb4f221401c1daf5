import type { Row } from "./types.ts";
import { isCeiling, kindOf, nameOf as nameOfRow, onCpu, sizeOf } from "./words.ts";

/** Another program and our fastest row on the same data in the same run. */
export interface Comparison {
  readonly peer: Row;
  readonly ours: Row;
  /** How many times as fast ours is. */
  readonly factor: number;
  /** `CUB: u8, 256 bins, 2^30`. Says "not exact" for a peer whose results are not. */
  readonly name: string;
}

const speed = ({ valuesPerSecond, gbps }: Row): number => valuesPerSecond ?? gbps;

/** The key that two rows must share to be compared: the file, the data and the kind of result. */
const cellOf = ({ file, type, bins, n, distribution, residence, memory, weighted, ...row }: Row): string =>
  JSON.stringify([
    file.path,
    type,
    bins,
    n,
    distribution,
    residence,
    memory,
    weighted?.features,
    weighted?.adds,
    // A single call is compared with single calls, and calls in flight with the same number.
    row.inFlight,
    row.segments?.each,
  ]);

/** Programs that always count on one thread, so that older files do not say so. */
const SINGLE = ["cpu", "js-loop", "c", "numpy", "d3-array", "image-js", "fast-histogram"];

/** How files name the threads of our backends: `2 workers`. */
const THREADS = /^(\d+) (?:JavaScript )?(?:worker|thread)s?$/;

/** The threads of a row on the CPU; null if its file does not say. On a GPU they do not matter. */
export function threadsOf(row: Row): number | "gpu" | null {
  if (!onCpu(row)) return "gpu";
  const told = THREADS.exec(row.algorithm === "sequential" ? "" : (row.device ?? ""));
  if (told !== null) return Number(told[1]);
  return row.threads ?? (SINGLE.includes(row.peer ?? row.backend ?? "") ? 1 : null);
}

/**
 * Pairs every row of a peer with our fastest row for the same cell, among rows on one basis (`onBasis`). Both count on a
 * GPU, or both on a CPU with the same number of threads. If there is no such row of ours, there is no pair. Ceilings are no
 * peers.
 */
export function comparisons(rows: readonly Row[]): Comparison[] {
  const cells = Map.groupBy(rows, cellOf);
  return [...cells.values()].flatMap((cell) => {
    const own = cell.filter(({ peer, exact }) => peer === null && exact);
    const fastest = (candidates: readonly Row[]) =>
      candidates.reduce<Row | undefined>(
        (a, b) => (a === undefined || speed(b) > speed(a) ? b : a),
        undefined,
      );
    return cell
      .filter((row) => row.peer !== null && !isCeiling(row))
      .flatMap((peer) => {
        const threads = threadsOf(peer);
        const ours = fastest(own.filter((row) => threads !== null && threadsOf(row) === threads));
        return ours === undefined ? [] : [compared(peer, ours)];
      });
  });
}

function compared(peer: Row, ours: Row): Comparison {
  return { peer, ours, factor: speed(ours) / speed(peer), name: nameOf(peer) };
}

function nameOf(row: Row): string {
  // Sums of floats are at best close to the exact ones.
  const near = row.exact ? "" : ", not exact";
  return `${nameOfRow(row)}${near}: ${kindOf(row)}, ${sizeOf(row.n)}`;
}
