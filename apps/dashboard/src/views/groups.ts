import { html, type TemplateResult } from "lit-html";
import { isCeiling, kindOf, nameOf, programOf, type Row, residenceName, sizeOf } from "../data/index.ts";
import { type Context, chosen, distinct, named, plain, select } from "../show/index.ts";

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

/**
 * Groups rows of the same samples and size by contestant, the one with the fastest worst case first. One distribution
 * allows no rank, so contestants with a single one come last.
 */
export function contestants(rows: readonly Row[], speed: (row: Row) => number): Contestant[] {
  const groups = Map.groupBy(rows, nameOf);
  const isFirst = firstOfSweep();
  return [...groups]
    .map(([name, group]): Contestant => {
      const inOrder = fastest(group).sort((a, b) => speed(a) - speed(b));
      const [worst, best] = [inOrder[0]!, inOrder.at(-1)!];
      const worstOverBest = inOrder.length > 1 ? speed(worst) / speed(best) : null;
      return { name, rows: inOrder, worst, best, worstOverBest };
    })
    .sort((a, b) => Number(b.rows.length > 1) - Number(a.rows.length > 1) || speed(b.worst) - speed(a.worst))
    .filter(({ name }) => isFirst(name));
}

/** TRISH has a view of its own for its k. Here its best k represents it. */
function firstOfSweep(): (name: string) => boolean {
  const seen = new Set<string>();
  return (name) => {
    const swept = name.replace(/\bk=.*?(?=$| \()/, "k");
    if (swept === name) return true;
    if (seen.has(swept)) return false;
    seen.add(swept);
    return true;
  };
}

/** Keeps one row for each distribution: the fastest of several launches of a kernel that only reads. */
function fastest(rows: readonly Row[]): Row[] {
  const byDistribution = Map.groupBy(rows, ({ distribution }) => distribution);
  return [...byDistribution.values()].map((same) => same.reduce((a, b) => (b.gbps > a.gbps ? b : a)));
}

/** Keeps one row for each contestant and size: the fastest of several launches of a kernel that only reads. */
export function onceEach(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, (row) => `${nameOf(row)} ${row.n}`);
  return [...groups.values()].map((same) => same.reduce((a, b) => (b.gbps > a.gbps ? b : a)));
}

/** Whether some contestant counts the same samples at three sizes at least, which makes a line. */
export function isSwept(rows: readonly Row[]): boolean {
  const groups = Map.groupBy(
    rows.filter((row) => !isCeiling(row)),
    (row) => [nameOf(row), kindOf(row), row.distribution, row.residence].join(" "),
  );
  return [...groups.values()].some((group) => new Set(group.map(({ n }) => n)).size >= 3);
}

/** Rows of one kind of samples at one size, and the fields that choose them. */
export interface Picked {
  readonly rows: readonly Row[];
  readonly fields: TemplateResult;
  /** `u8, 256 bins, 2^30 samples, in memory`. */
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
  const bySize = Map.groupBy(ofKind, ({ n }) => n);
  const ascending = [...bySize.keys()].toSorted((a, b) => a - b).map(String);
  const size = chosen(context, "n", ascending, String(largest(bySize)));
  return {
    rows: ofKind.filter(({ n }) => String(n) === size),
    what: `${kind}, ${sizeOf(Number(size))} samples, ${residenceName(residence)}`,
    fields: html`<div class="fields">
      ${select("Data location", named(residences, residenceName), residence, (value) => context.select({ residence: value, kind: null, n: null }))}
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

/** The largest size with at least half of the most rows of a size: a fixed cost matters least there. */
function largest(bySize: ReadonlyMap<number, readonly Row[]>): number {
  const most = Math.max(...[...bySize.values()].map(({ length }) => length));
  return Math.max(...[...bySize].filter(([, { length }]) => 2 * length >= most).map(([n]) => n));
}

/** Returns the names of groups of rows, those with most rows first. */
export function byCount<Name>(groups: ReadonlyMap<Name, readonly Row[]>): Name[] {
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([name]) => name);
}

/** How many lines of one program a plot shows at first: further ones are shades of the same colour. */
const OF_ONE = 3;

/** Names in order: the first few of each program, and then the rest, which a reader may ask for. */
export function fewOfEach(rows: readonly Row[]): {
  readonly names: readonly string[];
  readonly first: number;
} {
  const names = inOrder(rows);
  const programs = new Map(rows.map((row) => [nameOf(row), programOf(row).id]));
  const seen = new Map<string, number>();
  const isFirst = (name: string): boolean => {
    const id = programs.get(name)!;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    return seen.get(id)! <= OF_ONE;
  };
  const few = names.filter(firstOfSweep()).filter(isFirst);
  return { names: distinct([...few, ...names]), first: few.length };
}

/**
 * Orders the contestants, those that a reader compares first: the fastest single call of each of our backends and of each
 * peer, then those measured at most sizes. One size makes no line, so it is in the table only.
 */
function inOrder(rows: readonly Row[]): string[] {
  const sizes = [...Map.groupBy(rows, nameOf)].map(
    ([name, group]) => [name, new Set(group.map(({ n }) => n)).size] as const,
  );
  const swept = sizes.filter(([, count]) => count >= 3);
  const single = rows
    .filter(({ devices, inFlight }) => devices === undefined && inFlight === undefined)
    .toSorted((a, b) => b.gbps - a.gbps);
  const who = ({ peer, backend }: Row) => peer ?? backend;
  const sweptNames = new Set(swept.map(([name]) => name));
  const fastest = distinct(single.map(who)).flatMap((one) => {
    const ofOne = single.filter((row) => who(row) === one);
    const row = ofOne.find((candidate) => sweptNames.has(nameOf(candidate))) ?? ofOne[0];
    return row === undefined ? [] : [row];
  });
  const first = fastest.map(nameOf);
  const most = sizes
    .toSorted(([, a], [, b]) => b - a)
    .filter(([, count]) => count >= 2 || swept.length === 0);
  return distinct([...first.filter((name) => sweptNames.has(name)), ...most.map(([name]) => name)]);
}
