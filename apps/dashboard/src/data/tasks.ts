import { type Comparison, comparisons } from "./peers.ts";
import { type Program, programOf } from "./programs.ts";
import type { Row } from "./types.ts";
import { isOurs } from "./words.ts";

/** A task that people have, by the `type` of its rows in the files `tasks.json`. */
export interface Task {
  readonly id: string;
  readonly name: string;
  /** The samples and the bins. */
  readonly about: string;
}

export const TASKS: readonly Task[] = [
  {
    id: "picture",
    name: "A 12-megapixel picture",
    about: "red, green and blue of 4,000 x 3,000 pixels of RGBA",
  },
  { id: "column", name: "A column of 10 million doubles", about: "100 equal bins" },
  { id: "frame", name: "A video frame on the GPU", about: "1,920 x 1,080 pixels of RGBA in its memory" },
  { id: "file", name: "A 10 GB file", about: "a NumPy file of doubles, opened, read and counted" },
  { id: "groups", name: "1,000 groups", about: "10 million doubles, 100 bins for each group" },
];

/** A task on one machine: our fastest row, and each other program at its best. */
export interface TaskRow {
  readonly task: Task;
  /** Null: the task was not measured. */
  readonly ours: Row | null;
  /** By the ids of programs. Both sides have the same threads. */
  readonly factors: ReadonlyMap<string, Comparison>;
}

/** The overview of one run. */
export interface TaskTable {
  /** The programs of its columns. */
  readonly programs: readonly Program[];
  readonly rows: readonly TaskRow[];
}

/** Makes the table of one file's rows. A program that ran on several numbers of threads is shown at its fastest. */
export function taskTable(rows: readonly Row[]): TaskTable {
  const pairs = comparisons(rows);
  const all = TASKS.map((task): TaskRow => {
    const own = rows.filter((row) => row.type === task.id && isOurs(row));
    const ours = own.reduce<Row | null>((a, b) => (a === null || b.medianMs < a.medianMs ? b : a), null);
    const factors = new Map<string, Comparison>();
    for (const pair of pairs.filter(({ peer }) => peer.type === task.id)) {
      const { id } = programOf(pair.peer);
      const known = factors.get(id);
      if (known === undefined || pair.peer.medianMs < known.peer.medianMs) factors.set(id, pair);
    }
    return { task, ours, factors };
  });
  const found = all.flatMap(({ factors }) => [...factors.values()].map(({ peer }) => programOf(peer)));
  const counts = Map.groupBy(found, ({ id }) => id);
  const programs = [...counts.values()].toSorted((a, b) => b.length - a.length).map(([first]) => first!);
  return { programs, rows: all };
}

/** The numbers behind the sentence of the overview. */
export interface TaskVerdict {
  readonly measured: number;
  readonly compared: number;
  readonly least: Comparison | null;
  readonly most: Comparison | null;
  /** The comparisons that we lose, the largest loss first. */
  readonly lost: readonly Comparison[];
}

export function verdictOf({ rows }: TaskTable): TaskVerdict {
  const all = rows.flatMap(({ factors }) => [...factors.values()]).toSorted((a, b) => a.factor - b.factor);
  return {
    measured: rows.filter(({ ours }) => ours !== null).length,
    compared: all.length,
    least: all[0] ?? null,
    most: all.at(-1) ?? null,
    lost: all.filter(({ factor }) => factor < 1),
  };
}
