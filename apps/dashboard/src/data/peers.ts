import type { Row } from "./types.ts";
import { isCeiling, kindOf, onCpu, sizeOf } from "./words.ts";

/** Another program and our fastest row on the same data in the same run. */
export interface Comparison {
  readonly peer: Row;
  readonly ours: Row;
  /** How many times as fast ours is. */
  readonly factor: number;
  /** `cub: u8, 256 bins, 2^30`. Says "not exact" for a peer whose results are not. */
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

/**
 * Pairs every row of a peer with our fastest row for the same cell, among rows on one basis (`onBasis`). Both count on a
 * CPU or both on a GPU, with the same number of threads if there is such a row. Ceilings are no peers.
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
        const alike = own.filter((row) => onCpu(row) === onCpu(peer));
        const ours = fastest(alike.filter(({ threads }) => threads === peer.threads)) ?? fastest(alike);
        return ours === undefined ? [] : [compared(peer, ours)];
      });
  });
}

function compared(peer: Row, ours: Row): Comparison {
  return { peer, ours, factor: speed(ours) / speed(peer), name: nameOf(peer) };
}

function nameOf(row: Row): string {
  const how = row.variant === undefined ? "" : ` (${row.variant})`;
  // Sums of floats are at best close to the exact ones.
  const near = row.exact ? "" : ", not exact";
  const parts = row.segments === undefined ? "" : ` in segments of ${sizeOf(row.segments.each)}`;
  return `${row.peer}${how}${near}: ${kindOf(row)}, ${sizeOf(row.n)}${parts}`;
}
