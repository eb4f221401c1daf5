import type { Row, Weighted } from "../runner/row.ts";

/** A row with the properties of its table and its parameters. */
type Cell = Row & Weighted;

function cellsOf(rows: readonly Row[], figure?: string): Cell[] {
  return rows.flatMap((row) => {
    const { weighted } = row;
    if (weighted === undefined || (figure !== undefined && !weighted.figures?.includes(figure))) return [];
    return [{ ...weighted, ...row }];
  });
}

type Names = readonly (keyof Cell)[];

function groups(cells: readonly Cell[], names: Names): Cell[][] {
  return [...Map.groupBy(cells, (cell) => names.map((name) => cell[name]).join()).values()];
}

function pick(cell: Cell, names: Names): object {
  return Object.fromEntries(names.map((name) => [name, cell[name]]));
}

function fastest(cells: readonly Cell[]): Cell {
  return cells.reduce((top, cell) => (cell.gbps > top.gbps ? cell : top));
}

type Condition = (cell: Cell) => boolean;
const are =
  (algorithm: string): Condition =>
  (cell) =>
    cell.algorithm === algorithm;

/** Pairs each cell with another one that is equal in those properties. */
function pairs(cells: readonly Cell[], same: Names, one: Condition, other: Condition): [Cell, Cell][] {
  return groups(cells, same).flatMap((group) => {
    const found = group.find(other);
    return found === undefined ? [] : group.filter(one).map((cell): [Cell, Cell] => [cell, found]);
  });
}

/** Returns how many times as fast one cell of each pair is. */
function gains(of: readonly [Cell, Cell][], shown: Names): object[] {
  return of.map(([one, other]) => ({ ...pick(one, shown), factor: one.gbps / other.gbps }));
}

const KEYS = ["algorithm", "bins", "distribution", "precision"] as const;

/** Returns the gain of fetching words over fetching single values. */
export function fetchGains(rows: readonly Row[]): object[] {
  const of =
    (name: string): Condition =>
    (cell) =>
      cell.fetch === name;
  return gains(pairs(cellsOf(rows), [...KEYS, "reduce"], of("word"), of("value")), KEYS);
}

/** Returns the gain of sub-histograms over adding to the totals. */
export function reduceGains(rows: readonly Row[]): object[] {
  const of =
    (name: string): Condition =>
    (cell) =>
      cell.reduce === name;
  return gains(pairs(cellsOf(rows), [...KEYS, "fetch"], of("tables"), of("atomic")), KEYS);
}

/** Returns the hybrid and the best of its methods on equal data. */
function contests(rows: readonly Row[]): { readonly hybrid: Cell; readonly best: Cell }[] {
  return groups(cellsOf(rows), ["bins", "distribution", "precision", "skip"]).flatMap((group) => {
    const hybrid = group.find(are("weighted-hybrid"));
    const others = group.filter((cell) => cell !== hybrid);
    return hybrid === undefined || others.length === 0 ? [] : [{ hybrid, best: fastest(others) }];
  });
}

/** Returns the gain of the hybrid over the best of its methods. */
export function hybridGains(rows: readonly Row[]): object[] {
  return contests(rows).map(({ hybrid, best }) => ({
    ...pick(hybrid, ["bins", "distribution", "precision", "skip"]),
    best: best.algorithm,
    factor: hybrid.gbps / best.gbps,
  }));
}

/**
 * Returns the largest number of bins up to which the collision-free method is the fastest, for each kind of sums. Null: it
 * never is.
 */
export function thresholds(rows: readonly Row[]): object[] {
  const kinds = Map.groupBy(contests(rows), ({ hybrid }) =>
    [hybrid.distribution, hybrid.precision, hybrid.skip].join(),
  );
  return [...kinds.values()].map((of) => {
    const byBins = of.toSorted((a, b) => a.hybrid.bins - b.hybrid.bins);
    const end = byBins.findIndex(({ best }) => best.algorithm !== "weighted-collision-free");
    const upTo = byBins.at(end < 0 ? -1 : end - 1)!;
    return {
      ...pick(of[0]!.hybrid, ["distribution", "precision", "skip"]),
      bins: end === 0 ? null : upTo.hybrid.bins,
    };
  });
}

/** Derives notes in the terms of Xu et al.'s tables and figures, with throughputs in GB/s of feature values. */
export function paperNotes(rows: readonly Row[]): Record<string, unknown> {
  const notes = {
    "Figure 9: collision-reduced over collision, by sigma": figure9(cellsOf(rows, "Figure 9")),
    "Table 5: the best N_unroll, by bins": best(rows, "Table 5", "weighted-collision-free", [
      "fetch",
      "unroll",
    ]),
    "Table 6: the best N_warp, by bins": best(rows, "Table 6", "weighted-collision", ["warps"]),
    "Table 6: the best N_warp and N_buffer, by bins": best(rows, "Table 6", "weighted-collision-reduced", [
      "warps",
      "buffer",
    ]),
    // Cells on the same data only, since Figure 11 has cells of the same bins that skip zeros.
    "Table 7: the fastest method, by bins": groups(cellsOf(rows, "Table 7"), ["bins"]).map(table7),
    "Figure 11: what skipping zeros gains": figure11(cellsOf(rows, "Figure 11")),
  };
  return Object.fromEntries(Object.entries(notes).filter(([, note]) => note.length > 0));
}

function figure9(cells: readonly Cell[]): object[] {
  const [reduced, collision] = [are("weighted-collision-reduced"), are("weighted-collision")];
  return pairs(cells, ["sigma", "precision"], reduced, collision).map(([one, other]) => ({
    sigma: one.sigma ?? "uniform",
    precision: one.precision,
    collision: other.gbps,
    "collision-reduced": one.gbps,
    factor: one.gbps / other.gbps,
  }));
}

/** Returns the parameters of the fastest cell for each number of bins. */
function best(rows: readonly Row[], figure: string, algorithm: string, names: Names): object[] {
  const cells = cellsOf(rows, figure).filter(are(algorithm));
  return groups(cells, ["bins"]).map((group) => pick(fastest(group), ["bins", ...names, "gbps"]));
}

function table7(group: readonly Cell[]): object {
  const { bins, algorithm, variant, gbps } = fastest(group);
  const hybrid = group.filter(are("weighted-hybrid"));
  return {
    ...{ bins, method: [algorithm, variant].filter(Boolean).join(", "), gbps },
    hybrid: hybrid.length === 0 ? null : fastest(hybrid).gbps,
  };
}

function figure11(cells: readonly Cell[]): object[] {
  const skipped: Condition = ({ skip }) => skip;
  return gains(
    pairs(cells, KEYS, skipped, (cell) => !cell.skip),
    ["algorithm", "bins", "zeroShare"],
  );
}
