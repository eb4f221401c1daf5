import type { Row, Weighted } from "../runner/row.ts";

/** Derives notes in the terms of Xu et al.'s tables and figures, with throughputs in GB/s of feature values. */
export function paperNotes(rows: readonly Row[]): Record<string, unknown> {
  const notes = {
    "Figure 9: collision-reduced over collision, by sigma": figure9(rows),
    "Table 5: the best N_unroll, by bins": best(rows, "Table 5", "weighted-collision-free"),
    "Table 6: the best N_warp, by bins": best(rows, "Table 6", "weighted-collision"),
    "Table 6: the best N_warp and N_buffer, by bins": best(rows, "Table 6", "weighted-collision-reduced"),
    "Table 7: the fastest method, by bins": table7(rows),
    "Figure 11: what skipping zeros gains": figure11(rows),
  };
  return Object.fromEntries(Object.entries(notes).filter(([, note]) => note.length > 0));
}

type Cell = Row & { readonly weighted: Weighted };

function ofFigure(rows: readonly Row[], figure: string): Cell[] {
  return rows.filter((row): row is Cell => row.weighted?.figures?.includes(figure) ?? false);
}

function figure9(rows: readonly Row[]): object[] {
  const cells = ofFigure(rows, "Figure 9");
  const groups = Map.groupBy(cells, ({ weighted: { sigma, precision } }) => `${sigma} ${precision}`);
  return [...groups.values()].flatMap((group) => {
    const of = (slug: string) => group.find(({ algorithm }) => algorithm === slug);
    const [collision, reduced] = [of("weighted-collision"), of("weighted-collision-reduced")];
    if (collision === undefined || reduced === undefined) return [];
    const { sigma = "uniform", precision } = collision.weighted;
    return [
      {
        sigma,
        precision,
        collision: collision.gbps,
        "collision-reduced": reduced.gbps,
        factor: reduced.gbps / collision.gbps,
      },
    ];
  });
}

/** Returns the parameters of the fastest cell for each number of bins. */
function best(rows: readonly Row[], figure: string, slug: string): object[] {
  const cells = ofFigure(rows, figure).filter(({ algorithm }) => algorithm === slug);
  return [...Map.groupBy(cells, ({ bins }) => bins).values()].map((group) => {
    const { bins, gbps, weighted } = fastest(group);
    const { fetch, unroll, warps, buffer } = weighted;
    return slug === "weighted-collision-free"
      ? { bins, fetch, unroll, gbps }
      : { bins, warps, ...(buffer === undefined ? {} : { buffer }), gbps };
  });
}

function table7(rows: readonly Row[]): object[] {
  // Cells on the same data only, since Figure 11 has cells of the same bins that skip zeros.
  const cells = ofFigure(rows, "Table 7");
  return [...Map.groupBy(cells, ({ bins }) => bins).values()].map((group) => {
    const { bins, algorithm, variant, gbps } = fastest(group);
    const hybrid = group.filter((row) => row.algorithm === "weighted-hybrid");
    return {
      bins,
      method: [algorithm, variant].filter(Boolean).join(", "),
      gbps,
      hybrid: hybrid.length === 0 ? null : fastest(hybrid).gbps,
    };
  });
}

function figure11(rows: readonly Row[]): object[] {
  const cells = ofFigure(rows, "Figure 11");
  return cells.flatMap((skipped) => {
    if (!skipped.weighted.skip) return [];
    const { algorithm, bins, distribution, weighted } = skipped;
    const plain = cells.find(
      (row) =>
        !row.weighted.skip &&
        row.algorithm === algorithm &&
        row.bins === bins &&
        row.distribution === distribution &&
        row.weighted.precision === weighted.precision,
    );
    return plain === undefined
      ? []
      : [{ algorithm, bins, zeroShare: weighted.zeroShare, factor: skipped.gbps / plain.gbps }];
  });
}

function fastest<Of extends Row>(rows: readonly Of[]): Of {
  return rows.reduce((top, row) => (row.gbps > top.gbps ? row : top));
}
