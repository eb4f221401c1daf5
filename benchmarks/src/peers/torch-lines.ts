import type { ShiftedTable } from "../data/feature-table.ts";
import { peerRow } from "../runner/moved.ts";
import type { Row } from "../runner/row.ts";
import { median } from "../runner/statistics.ts";

/** A line of peers/torch_sums.py. */
export interface TorchLine {
  readonly variant: string;
  readonly distribution: string;
  readonly ms: readonly number[];
  readonly offBy: number;
}

export function torchRow(
  { variant, distribution, ms, offBy }: TorchLine,
  of: ShiftedTable,
  ceiling: number | null,
): Row {
  const { type, features, documents, bytes, row } = of;
  const n = features * documents;
  const weighted = { features, documents, adds: "sums", precision: "fast", skip: false, plans: [] } as const;
  return peerRow({
    ...{ peer: TORCH, variant, type, bins: row.bins, n, distribution, weighted, bytes, ceiling },
    ...{ ms, valuesPerSecond: (n / median(ms)) * 1000, exact: offBy === 0, offBy },
  });
}

export const TORCH = "torch.bincount(weights)";

/** For one distribution, how many times as fast ours is as the peer's fastest variant. */
export interface Factor {
  readonly distribution: string;
  readonly over: string;
  readonly "counts and sums": number | null;
  readonly sums: number | null;
}

/** Compares our kernels with the peer's fastest variant, on each distribution that both measured. */
export function overTorch(rows: readonly Row[]): Factor[] {
  const peers = rows.filter(({ peer }) => peer === TORCH);
  const distributions = [...new Set(peers.map(({ distribution }) => distribution))];
  return distributions.map((distribution) => {
    const fastest = peers
      .filter((row) => row.distribution === distribution)
      .reduce((best, row) => (row.gbps > best.gbps ? row : best));
    const factor = (adds: "counts and sums" | "sums") => {
      const ours = rows.find(
        (row) =>
          row.algorithm === "weighted-fixed-point" &&
          row.distribution === distribution &&
          row.weighted?.adds === adds,
      );
      return ours === undefined ? null : ours.gbps / fastest.gbps;
    };
    return {
      distribution,
      over: fastest.variant!,
      "counts and sums": factor("counts and sums"),
      sums: factor("sums"),
    };
  });
}
