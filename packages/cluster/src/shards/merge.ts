import { PolybinError } from "@polybin/core";
import { loadedOnce } from "@polybin/core/backend";
import { addedCells, type Cells, exactSum } from "./cells.ts";
import { MAX_GROUPS, MAX_STRING_UNITS, MAX_STRINGS } from "./limits.ts";
import { type PartialResult, type Run, shardNames } from "./partial.ts";
import {
  type Counts,
  compareGroups,
  type FileRows,
  joinedExtent,
  type Payload,
  type Row,
} from "./payload.ts";
import type { Task } from "./task.ts";

const profiling = loadedOnce(() => import("./profile.ts"));

/**
 * Adds up partials of different shards of one task. The result has the same bits in whatever order and grouping they are
 * merged.
 * @param task the task of the partials, which only profiles need
 * @throws ERR_INPUT for no partials, for partials of different tasks or cuts, and for a shard that is in two of them.
 * @throws ERR_LIMIT if there are too many different strings or groups, or a count would no longer be exact.
 */
export async function mergePartials(partials: readonly PartialResult[], task?: Task): Promise<PartialResult> {
  const [first, ...others] = partials;
  if (first === undefined)
    throw new PolybinError("ERR_INPUT", "expected at least one partial result but received none");
  for (const other of others) checkAlike(first, other);
  const covered = union(partials.map((partial) => partial.covered));
  let level = partials.map(({ payload }) => payload);
  // Pairs, so that a large number of small partials is not added one by one to an ever larger one.
  while (level.length > 1) {
    const next: Payload[] = [];
    for (let i = 0; i < level.length; i += 2) {
      next.push(i + 1 < level.length ? await mergePayloads(level[i]!, level[i + 1]!, task) : level[i]!);
    }
    level = next;
  }
  return { ...first, covered, payload: level[0]! };
}

function checkAlike(first: PartialResult, other: PartialResult): void {
  const [what, a, b] =
    first.task !== other.task
      ? (["tasks", first.task, other.task] as const)
      : (["cuts into shards", first.job, other.job] as const);
  if (a === b && first.of === other.of && first.payload.count === other.payload.count) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected partial results of one task but received those of two ${what} (${a.slice(0, 12)} and ${b.slice(0, 12)}); ` +
      "count every shard with the same files, options and number of shards",
  );
}

/** @throws ERR_INPUT if a shard is covered twice */
function union(all: readonly (readonly Run[])[]): Run[] {
  const runs = all.flat().sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  const twice: Run[] = [];
  for (const [first, last] of runs) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1]) twice.push([first, Math.min(last, before[1])]);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  if (twice.length === 0) return joined;
  throw new PolybinError(
    "ERR_INPUT",
    `expected every shard once but received some twice: ${shardNames(twice)}`,
  );
}

/** Adds up two payloads of one task. */
async function mergePayloads(a: Payload, b: Payload, task: Task | undefined): Promise<Payload> {
  const rows = exactSum(a.rows, b.rows);
  if (a.count === "profile" && b.count === "profile") {
    if (task === undefined)
      throw new PolybinError("ERR_INPUT", "expected the task with the partial results of a profile");
    const { mergeProfiles } = await profiling();
    return {
      count: a.count,
      rows,
      files: addedFiles(a.files, b.files),
      bytes: mergeProfiles(a.bytes, b.bytes, task),
    };
  }
  if (a.count === "extent" && b.count === "extent" && a.extents.length === b.extents.length) {
    const extents = a.extents.map((extent, i) => joinedExtent(extent, b.extents[i]!));
    return { count: a.count, rows, extents };
  }
  if ("columns" in a && "columns" in b && a.columns.length === b.columns.length) {
    return {
      count: a.count,
      rows,
      columns: a.columns.map((counts, i) => addedCounts(counts, b.columns[i]!)),
    };
  }
  throw new PolybinError("ERR_INPUT", "expected partial results of one task but their columns differ");
}

function addedFiles(a: readonly FileRows[], b: readonly FileRows[]): FileRows[] {
  const rows = new Map(a);
  for (const [file, own] of b) rows.set(file, exactSum(rows.get(file) ?? 0, own));
  return [...rows].sort(([x], [y]) => x - y);
}

/** Adds up the counts of a column. */
function addedCounts(a: Counts, b: Counts): Counts {
  if ((a.strings === null) !== (b.strings === null)) {
    throw new PolybinError("ERR_INPUT", "expected partial results of one task but their columns differ");
  }
  if (a.strings === null || b.strings === null) return { strings: null, rows: addedRows(a.rows, b.rows) };
  const strings = merged(a.strings, b.strings, (x, y) => (x < y ? -1 : x > y ? 1 : 0));
  checkStrings(strings.length, unitsOf(strings));
  const place = new Map(strings.map((text, i) => [text, i]));
  const moved = (counts: Counts): Row[] =>
    counts.rows.map(({ group, cells }) => ({
      group,
      cells: over(cells, counts.strings!, place, strings.length),
    }));
  return { strings, rows: addedRows(moved(a), moved(b)) };
}

/** Numbers the cells of strings anew. Both lists ascend, so the cells still do. */
function over(
  { cells, counts }: Cells,
  from: readonly string[],
  to: ReadonlyMap<string, number>,
  nulls: number,
): Cells {
  return { cells: cells.map((cell) => (cell === from.length ? nulls : to.get(from[cell]!)!)), counts };
}

function addedRows(a: readonly Row[], b: readonly Row[]): Row[] {
  const rows = new Map(a.map((row) => [row.group, row]));
  for (const row of b) {
    const own = rows.get(row.group);
    rows.set(
      row.group,
      own === undefined ? row : { group: row.group, cells: addedCells(own.cells, row.cells) },
    );
  }
  checkGroups(rows.size);
  return [...rows.values()].sort((x, y) => compareGroups(x.group, y.group));
}

/** @throws ERR_LIMIT */
export function checkGroups(groups: number): void {
  if (groups <= MAX_GROUPS) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${MAX_GROUPS} groups but the column of the groups has more`,
  );
}

/** @param units code units of the different strings together @throws ERR_LIMIT */
export function checkStrings(strings: number, units: number): void {
  if (strings <= MAX_STRINGS && units <= MAX_STRING_UNITS) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${MAX_STRINGS} different strings with ${MAX_STRING_UNITS} characters together in a column but it ` +
      "has more; polybin profile counts the most frequent ones",
  );
}

/** Code units of all strings together. */
export function unitsOf(strings: readonly string[]): number {
  return strings.reduce((units, text) => units + text.length, 0);
}

/** Merges two ascending lists without repetitions. */
function merged<T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): T[] {
  const all: T[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const order = compare(a[i]!, b[j]!);
    all.push(order <= 0 ? a[i]! : b[j]!);
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
  }
  return [...all, ...a.slice(i), ...b.slice(j)];
}
