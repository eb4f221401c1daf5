import { peerRow } from "../runner/moved.ts";
import type { Row } from "../runner/row.ts";
import { throughput } from "../runner/statistics.ts";

/** A line of peers/cub.cu. */
export interface CubLine {
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

/** Makes rows from the lines of peers/cub.cu as they arrive. The ceiling of a size arrives before its cells. */
export class CubLines {
  readonly #ceilings = new Map<number, number>();

  row({ peer, variant, type, bins, n, bytes, distribution, ms, exact }: CubLine): Row {
    if (peer === "read") this.#ceilings.set(bytes, throughput(bytes, ms));
    const who = peer === "per-lane" ? { backend: "cuda", algorithm: peer, peer: null } : { peer };
    const cell = { ...who, variant: variant || undefined, type, bins, n, distribution };
    return peerRow({ ...cell, ms, exact, bytes, ceiling: this.#ceilings.get(bytes) ?? null });
  }
}

/** Lists n, per-lane, CUB and their ratio, for each cell that both measured. */
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
  return ["n | data | per-lane GB/s | CUB GB/s | ratio | per-lane's share of the ceiling", ...lines];
}
