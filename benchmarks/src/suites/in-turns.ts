import { writeFileSync } from "node:fs";
import { WrongUse } from "../command/wrong-use.ts";
import { provenance } from "../runner/machine.ts";
import { median } from "../runner/statistics.ts";

// For suites whose contestants alternate and whose files hold medians instead of rows.

/** Reads a number of a command line. @throws WrongUse */
export function positive(text: string, what: "a number" | "a whole number" = "a number"): number {
  const value = Number(text);
  if (value > 0 && (what === "a number" || Number.isInteger(value))) return value;
  throw new WrongUse(`expected ${what} above 0 but received ${text}`);
}

/** Reads names from a list. @throws WrongUse */
export function known<T extends string>(list: string, names: readonly T[]): T[] {
  return list.split(",").map((name) => {
    const found = names.find((one) => one === name);
    if (found === undefined) throw new WrongUse(`expected names of ${names.join(", ")} but received ${name}`);
    return found;
  });
}

/**
 * Lets contestants alternate, and returns the median of each. Rounds below 0 are not recorded.
 * @param measure returns a contestant's numbers of one round, or null if it takes no part
 */
export async function mediansInTurns<Of>(
  contestants: Readonly<Record<string, Of>>,
  [first, last]: readonly [number, number],
  measure: (of: Of, name: string, round: number) => Promise<readonly number[] | null>,
): Promise<Map<string, number[]>> {
  const all = new Map<string, number[][]>();
  for (let round = first; round < last; round++) {
    for (const [name, of] of Object.entries(contestants)) {
      const numbers = await measure(of, name, round);
      if (round >= 0 && numbers !== null) all.set(name, [...(all.get(name) ?? []), [...numbers]]);
    }
  }
  const columns = (rows: number[][]) => rows[0]!.map((_, i) => median(rows.map((row) => row[i]!)));
  return new Map([...all].map(([name, rows]) => [name, columns(rows)]));
}

/** Writes the rows of such a suite to a file, if there is one. @returns its path */
export function saved(out: string | undefined, rows: readonly object[]): string {
  if (out !== undefined) writeFileSync(out, `${JSON.stringify({ ...provenance(), rows }, null, 1)}\n`);
  return out ?? "";
}

/** Compares counts cell by cell. @throws an Error that names the first difference */
export function checkSame(name: string, expected: ArrayLike<number>, found: ArrayLike<number>): void {
  const wrong = Array.from(expected).findIndex((count, cell) => count !== found[cell]);
  if (wrong < 0) return;
  throw new Error(
    `NOT EXACT: ${name}, cell ${wrong}: expected ${expected[wrong]} but received ${found[wrong]}`,
  );
}
