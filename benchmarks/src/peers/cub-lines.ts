import type { Row } from "../runner/row.ts";
import { percentOf, throughput } from "../runner/statistics.ts";

/** A line of peers/cub.cu. */
interface Line {
  readonly peer: "cub" | "per-lane" | "read";
  readonly variant: string;
  readonly type: string;
  readonly bins: number;
  readonly n: number;
  readonly bytes: number;
  readonly distribution: string;
  readonly ms: readonly number[];
  readonly exact: boolean;
}

/** Makes rows of the lines of peers/cub.cu as they come. The ceiling of a size comes before what it is the ceiling of. */
export class CubLines {
  readonly #ceilings = new Map<number, number>();

  /** A row, or the sentence on a cell that is missing. */
  row(line: string): Row | string {
    const parsed = JSON.parse(line) as Line | { readonly missing: string };
    if ("missing" in parsed) return parsed.missing;
    const { peer, variant, type, bins, n, bytes, distribution, ms, exact } = parsed;
    const gbps = throughput(bytes, ms);
    if (peer === "read") this.#ceilings.set(bytes, gbps);
    const ours = peer === "per-lane";
    return {
      backend: ours ? "cuda" : null,
      algorithm: ours ? peer : null,
      peer: ours ? null : peer,
      ...(variant === "" ? {} : { variant }),
      type,
      bins,
      n,
      distribution,
      residence: "resident",
      ms,
      gbps,
      ceilingPercent: percentOf(gbps, this.#ceilings.get(bytes) ?? null),
      exact,
    };
  }
}

/** n | per-lane | CUB | ratio, in microseconds and GB/s, for each cell that both were measured on. */
export function ratios(rows: readonly Row[]): string[] {
  const ours = rows.filter(({ algorithm, call }) => algorithm === "per-lane" && call === undefined);
  const lines = ours.flatMap((row) => {
    const peer = rows.find(
      (one) =>
        one.peer === "cub" &&
        one.call === undefined &&
        one.type === row.type &&
        one.bins === row.bins &&
        one.n === row.n &&
        one.distribution === row.distribution,
    );
    if (peer === undefined) return [];
    const cells = [
      `2^${Math.log2(row.n)}`,
      `${row.type}/${row.bins} ${row.distribution}`,
      row.gbps.toFixed(1),
      peer.gbps.toFixed(1) + (peer.exact ? "" : "!"),
      (row.gbps / peer.gbps).toFixed(2),
      row.ceilingPercent === null ? "" : `${row.ceilingPercent.toFixed(1)}%`,
    ];
    return [cells.join(" | ")];
  });
  return ["n | data | per-lane GB/s | CUB GB/s | ratio | per-lane of the ceiling", ...lines];
}
