import { mutualInformation } from "@polybin/analysis";
import { rootOfRatio } from "../exact/ratio.ts";
import type { CorrelationsJson, MissingJson } from "../json.ts";
import { codesOf, type PairSums, type PairsPartial } from "../partial/pairs-partial.ts";

type Matrix = (number | null)[][];

/** The correlations of all pairs. Null if fewer than two columns have bins. */
export function correlationsOf({ plan, pairs }: PairsPartial): CorrelationsJson | null {
  const { columns } = plan;
  if (columns.length < 2) return null;
  const matrix = (): Matrix => columns.map(() => columns.map(() => null));
  const [rows, pearson, spearman, information] = [matrix(), matrix(), matrix(), matrix()];
  let next = 0;
  for (let i = 0; i < columns.length; i++) {
    for (let j = i + 1; j < columns.length; j++) {
      const pair = pairs[next++]!;
      const table = heldOf(pair, codesOf(columns[i]!), codesOf(columns[j]!));
      const found = [table.total, pearsonOf(pair, table.total), spearmanOf(table), sharedOf(table)];
      for (const [k, of] of [rows, pearson, spearman, information].entries())
        of[i]![j] = of[j]![i] = found[k]!;
    }
  }
  for (const of of [pearson, spearman]) for (const i of columns.keys()) of[i]![i] = 1;
  return {
    columns: columns.map(({ name }) => name),
    rows: rows as number[][],
    pearson,
    spearman,
    mutualInformation: information,
  };
}

/** The nulls that columns share. Null if fewer than two columns have nulls. */
export function missingOf({ plan, bothNull }: PairsPartial): MissingJson | null {
  const { nullable } = plan;
  if (nullable.length < 2) return null;
  const both = nullable.map((_, i) => Array.from(nullable, (_, j) => bothNull[i * nullable.length + j]!));
  return { columns: nullable, both };
}

/** The rows of a pair in which both values are finite, by their codes. */
interface Table {
  readonly counts: Float64Array;
  readonly shape: readonly [number, number];
  readonly total: number;
  readonly margins: readonly [Float64Array, Float64Array];
}

/** Leaves out the last code of both columns, which is that of rows without a finite value. */
function heldOf({ counts }: PairSums, a: number, b: number): Table {
  const shape = [a - 1, b - 1] as const;
  const held = new Float64Array(shape[0] * shape[1]);
  const margins = [new Float64Array(shape[0]), new Float64Array(shape[1])] as const;
  let total = 0;
  for (let row = 0; row < shape[0]; row++) {
    for (let column = 0; column < shape[1]; column++) {
      const count = counts[row * b + column]!;
      held[row * shape[1] + column] = count;
      margins[0][row]! += count;
      margins[1][column]! += count;
      total += count;
    }
  }
  return { counts: held, shape, total, margins };
}

/** Pearson's correlation from exact sums, rounded before and after the root. Null if a column does not vary. */
function pearsonOf({ x, y, products }: PairSums, total: number): number | null {
  const count = BigInt(total);
  const shared = count * products - x.sum * y.sum;
  const [ofX, ofY] = [x, y].map(({ sum, squares }) => count * squares - sum * sum) as [bigint, bigint];
  if (ofX === 0n || ofY === 0n) return null;
  const size = rootOfRatio(shared * shared, ofX * ofY, 0);
  return shared < 0n ? -size : size;
}

/** Spearman's correlation: Pearson's of the mean ranks. Values of one bin are ties. Null if a column has one bin only. */
function spearmanOf({ counts, shape, total, margins }: Table): number | null {
  // Twice the distance of a mean rank from that of all: a whole number.
  const [a, b] = margins.map((margin) => {
    let below = 0;
    return Array.from(margin, (count) => {
      const twice = 2 * below + count - total;
      below += count;
      return twice;
    });
  }) as [number[], number[]];
  const squares = [a, b].map((ranks, side) =>
    ranks.reduce((sum, rank, code) => sum + rank ** 2 * margins[side]![code]!, 0),
  );
  if (squares[0] === 0 || squares[1] === 0) return null;
  let shared = 0;
  for (let row = 0; row < shape[0]; row++) {
    let inRow = 0;
    for (let column = 0; column < shape[1]; column++) inRow += counts[row * shape[1] + column]! * b[column]!;
    shared += inRow * a[row]!;
  }
  return Math.min(1, Math.max(-1, shared / Math.sqrt(squares[0]!) / Math.sqrt(squares[1]!)));
}

/** The mutual information of the bins. Null without rows. */
function sharedOf({ counts, shape, total }: Table): number | null {
  return total === 0 ? null : mutualInformation({ counts, shape });
}
