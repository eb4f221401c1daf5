import type { ColumnJson, CorrelationsJson, MissingJson } from "./json.ts";

/** A pair of columns with its correlations. */
export interface CorrelatedPair {
  readonly x: string;
  readonly y: string;
  readonly rows: number;
  readonly pearson: number | null;
  readonly spearman: number | null;
  readonly mutualInformation: number | null;
  /** The larger of the sizes of both correlations. */
  readonly size: number;
}

/** All pairs, the strongest correlations first. */
export function strongest(correlations: CorrelationsJson): CorrelatedPair[] {
  const { columns, rows, pearson, spearman, mutualInformation } = correlations;
  const pairs: CorrelatedPair[] = [];
  for (const [i, x] of columns.entries()) {
    for (const [j, y] of columns.entries()) {
      if (j <= i) continue;
      const [ofValues, ofRanks] = [pearson[i]![j]!, spearman[i]![j]!];
      pairs.push({
        x,
        y,
        rows: rows[i]![j]!,
        pearson: ofValues,
        spearman: ofRanks,
        mutualInformation: mutualInformation[i]![j]!,
        size: Math.max(Math.abs(ofValues ?? 0), Math.abs(ofRanks ?? 0)),
      });
    }
  }
  return pairs.sort((a, b) => b.size - a.size);
}

/** Two columns with nulls in the same rows. */
export interface SharedNulls {
  readonly x: string;
  readonly y: string;
  /** Rows in which both are null. */
  readonly both: number;
  /** These rows as a share of the nulls of the column that has fewer. */
  readonly share: number;
}

/** Pairs of columns that are null together more often than by chance, those first that share the largest part. */
export function nullsTogether({ columns, both }: MissingJson, all: readonly ColumnJson[]): SharedNulls[] {
  const found: SharedNulls[] = [];
  const rowsOf = (name: string): number => all.find((column) => column.name === name)?.rows ?? 0;
  for (const [i, x] of columns.entries()) {
    for (const [j, y] of columns.entries()) {
      const [nullsOfX, nullsOfY, count] = [both[i]![i]!, both[j]![j]!, both[i]![j]!];
      const byChance = (nullsOfX / Math.min(rowsOf(x), rowsOf(y))) * nullsOfY;
      if (j > i && count > byChance)
        found.push({ x, y, both: count, share: count / Math.min(nullsOfX, nullsOfY) });
    }
  }
  return found.sort((a, b) => b.share - a.share || b.both - a.both);
}
