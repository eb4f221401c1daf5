import { labelOf } from "./names.ts";
import { CONTESTANT, type Row, type Spread } from "./row.ts";

/** Computes worst over best of all contestants that were measured on more than one distribution at the same size. */
export function spreadsOf(rows: readonly Row[]): Spread[] {
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify([row.backend, labelOf(row), row.type, row.bins, row.n, row.residence, row.threads]),
  );
  return [...groups.values()].flatMap((group) => {
    if (new Set(group.map(({ distribution }) => distribution)).size < 2) return [];
    const inOrder = group.toSorted((a, b) => a.gbps - b.gbps);
    const [worst, best] = [inOrder[0]!, inOrder.at(-1)!];
    const percents = group.map(({ ceilingPercent }) => ceilingPercent);
    return {
      ...(Object.fromEntries(CONTESTANT.map((name) => [name, worst[name]])) as Pick<
        Row,
        (typeof CONTESTANT)[number]
      >),
      worst: { distribution: worst.distribution, gbps: worst.gbps },
      best: { distribution: best.distribution, gbps: best.gbps },
      worstOverBest: worst.gbps / best.gbps,
      ceilingPercent: percents.includes(null) ? null : Math.min(...(percents as number[])),
    };
  });
}
