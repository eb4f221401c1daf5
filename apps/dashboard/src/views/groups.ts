import { html, type TemplateResult } from "lit-html";
import type { Row } from "../data/types.ts";
import { isCeiling, kindOf, nameOf, sizeOf } from "../data/words.ts";
import { plain, select } from "../show/controls.ts";
import { type Context, chosen, distinct } from "./view.ts";

/** One contestant on several distributions, at one size. */
export interface Contestant {
  readonly name: string;
  /** Sorted by throughput, the slowest first. */
  readonly rows: readonly Row[];
  readonly worst: Row;
  readonly best: Row;
  /** 1 if the data make no difference; null if only one distribution was measured. */
  readonly worstOverBest: number | null;
}

/** Groups rows of the same samples and size by contestant, the one with the fastest worst case first. */
export function contestants(rows: readonly Row[], speed: (row: Row) => number): Contestant[] {
  const groups = Map.groupBy(rows, nameOf);
  return [...groups]
    .map(([name, group]): Contestant => {
      const inOrder = latest(group).sort((a, b) => speed(a) - speed(b));
      const [worst, best] = [inOrder[0]!, inOrder.at(-1)!];
      const worstOverBest = inOrder.length > 1 ? speed(worst) / speed(best) : null;
      return { name, rows: inOrder, worst, best, worstOverBest };
    })
    .sort((a, b) => speed(b.worst) - speed(a.worst))
    .filter(firstOfSweep());
}

/** TRISH has a view of its own for its k. Here its best k represents it. */
function firstOfSweep(): (contestant: Contestant) => boolean {
  const seen = new Set<string>();
  return ({ name }) => {
    const swept = name.replace(/\bk=.*?(?=$| \()/, "k");
    if (swept === name) return true;
    if (seen.has(swept)) return false;
    seen.add(swept);
    return true;
  };
}

/** If several files hold a cell, the last measured one counts. */
function latest(rows: readonly Row[]): Row[] {
  const byDistribution = Map.groupBy(rows, ({ distribution }) => distribution);
  return [...byDistribution.values()].map(
    (same) => same.toSorted((a, b) => (b.file.date ?? "").localeCompare(a.file.date ?? ""))[0]!,
  );
}

/** Rows of one kind of samples at one size, and the fields that choose them. */
export interface Picked {
  readonly rows: readonly Row[];
  readonly fields: TemplateResult;
  /** `u8, 256 bins, 2^30 samples, resident`. */
  readonly what: string;
}

/** Lets the reader choose samples, size and data location. The first choice is the one with most rows. */
export function picked(context: Context, all: readonly Row[]): Picked {
  const rows = all.filter((row) => !isCeiling(row));
  const residences = distinct(rows.map(({ residence }) => residence));
  const residence = chosen(context, "residence", residences);
  const resident = rows.filter((row) => row.residence === residence);
  const kinds = byCount(Map.groupBy(resident, kindOf));
  const kind = chosen(context, "kind", kinds);
  const ofKind = resident.filter((row) => kindOf(row) === kind);
  const sizes = byCount(Map.groupBy(ofKind, ({ n }) => String(n)));
  const size = chosen(context, "n", sizes);
  const ascending = sizes.toSorted((a, b) => Number(a) - Number(b));
  return {
    rows: ofKind.filter(({ n }) => String(n) === size),
    what: `${kind}, ${sizeOf(Number(size))} samples, ${residence}`,
    fields: html`<div class="fields">
      ${select("Data location", plain(residences), residence, (value) => context.select({ residence: value, kind: null, n: null }))}
      ${select("Type and bins", plain(kinds.toSorted()), kind, (value) => context.select({ kind: value, n: null }))}
      ${select(
        "Number of samples",
        ascending.map((value) => ({ value, label: sizeOf(Number(value)) })),
        size,
        (value) => context.select({ n: value }),
      )}
    </div>`,
  };
}

/** Returns the names of groups of rows, those with most rows first. */
export function byCount<Name>(groups: ReadonlyMap<Name, readonly Row[]>): Name[] {
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([name]) => name);
}
