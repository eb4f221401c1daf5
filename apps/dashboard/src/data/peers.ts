import type { Row } from "./types.ts";
import { isCeiling, kindOf, onCpu, sizeOf } from "./words.ts";

/** Somebody else's program and the fastest of ours on the same data in the same run. */
export interface Comparison {
  readonly peer: Row;
  readonly ours: Row;
  /** How many times as fast ours is. */
  readonly factor: number;
  /** `cub: u8, 256 bins, 2^30`; a peer whose results are not exact says so. */
  readonly name: string;
}

const speed = ({ valuesPerSecond, gbps }: Row): number => valuesPerSecond ?? gbps;

/** What two rows must have in common to be compared: the file, the data, and what is to come out. */
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
    // One call is compared with one, and many at once with as many.
    row.inFlight,
    row.segments?.each,
  ]);

/**
 * Of rows on one basis (`onBasis`) every row of a peer that has one of ours beside it, both on a CPU or both on a GPU, and of as many threads where there is
 * one. Ceilings are no peers.
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
  // Sums of floats are near the exact ones at best.
  const near = row.exact ? "" : ", not exact";
  return `${row.peer}${how}${near}: ${kindOf(row)}, ${sizeOf(row.n)}`;
}
