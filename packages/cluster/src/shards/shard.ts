import type { Table } from "@polybin/columns";
import { PolybinError } from "@polybin/core";
import { checkNames, expected } from "@polybin/core/backend";
import { checkedNumber } from "./checked.ts";
import { MAX_SHARDS, SHARD_BYTES } from "./limits.ts";
import { sha256, type Task, taskId } from "./task.ts";

/** Some parts of one file. */
export interface ShardRead {
  /** Index of the file in the task. */
  readonly file: number;
  /** The first part, and the first one after the last. A file without parts has one, which is the whole file. */
  readonly first: number;
  readonly end: number;
}

/** A piece of a task's work that one process does. It is plain JSON. */
export interface Shard {
  /** SHA-256 of the task and of the parts of all its shards. Only shards with the same job belong together. */
  readonly job: string;
  /** From 0 on. */
  readonly index: number;
  /** Number of shards of the task. */
  readonly of: number;
  /** In the order of the files. Empty if there are fewer parts than shards. */
  readonly reads: readonly ShardRead[];
}

/** How to cut a task: into a number of shards, or into shards of about this number of bytes. */
export type Cut = { readonly shards: number } | { readonly bytes: number };

/** The part of a table that decides the cut. */
type Cuttable = Pick<Table, "parts">;

/**
 * Cuts a task into shards of neighbouring parts with about equally many bytes. The same task, tables and cut give the
 * same shards on every machine.
 * @param tables one open table per file of the task
 * @throws ERR_INPUT, ERR_LIMIT for an invalid cut.
 */
export function shardsOf(
  task: Task,
  tables: readonly Cuttable[],
  cut: Cut = { bytes: SHARD_BYTES },
): Shard[] {
  if (tables.length !== task.files.length) {
    throw expected("ERR_INPUT", "tables", `one for each of ${task.files.length} files`, tables.length);
  }
  const parts = tables.flatMap((table, file) =>
    partsOf(table, task.files[file]!.size).map((bytes, part) => ({ file, part, bytes })),
  );
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const of = numberOf(cut, total);
  const reads: ShardRead[][] = Array.from({ length: of }, () => []);
  let before = 0;
  for (const { file, part, bytes } of parts) {
    // The shard in which the middle of the part lies. Parts have a byte at least, so total is not 0 here.
    const index = Math.min(of - 1, Math.floor(((before + bytes / 2) / total) * of));
    before += bytes;
    const own = reads[index]!;
    const last = own.at(-1);
    if (last?.file === file && last.end === part) own[own.length - 1] = { ...last, end: part + 1 };
    else own.push({ file, first: part, end: part + 1 });
  }
  const job = sha256(`${taskId(task)}\n${JSON.stringify(reads)}`);
  return reads.map((own, index) => ({ job, index, of, reads: own }));
}

/** The bytes of each part. */
function partsOf({ parts }: Cuttable, size: number | null): readonly number[] {
  return parts === null ? [Math.max(1, size ?? 1)] : parts.map(({ bytes }) => Math.max(1, bytes));
}

function numberOf(cut: Cut, total: number): number {
  checkNames(cut, ["shards", "bytes"], { of: "the cut" });
  const { shards, bytes } = cut as { readonly shards?: unknown; readonly bytes?: unknown };
  if ((shards === undefined) === (bytes === undefined)) {
    throw new PolybinError("ERR_INPUT", "expected either shards or bytes in the cut");
  }
  const name = shards === undefined ? "bytes" : "shards";
  const value = shards ?? bytes;
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw expected("ERR_INPUT", name, "a whole number of at least 1", value);
  }
  const of = shards === undefined ? Math.max(1, Math.ceil(total / (value as number))) : (value as number);
  if (of > MAX_SHARDS) throw expected("ERR_LIMIT", name, `at most ${MAX_SHARDS} shards`, of);
  return of;
}

/**
 * Checks a shard that came from outside. Nothing is opened.
 * @throws ERR_INPUT for anything but a shard of this task.
 */
export function checkShard(given: unknown, task: Task): Shard {
  checkNames(given as object, ["job", "index", "of", "reads"], { of: "the shard" });
  const { job, index, of, reads } = given as Record<keyof Shard, unknown>;
  if (typeof job !== "string" || !/^[0-9a-f]{64}$/.test(job))
    throw expected("ERR_INPUT", "job", "64 hexadecimal digits", job);
  const number = checkedNumber(of, "of", 1, MAX_SHARDS);
  if (!Array.isArray(reads)) throw expected("ERR_INPUT", "reads", "a list", reads);
  if (reads.length > task.files.length)
    throw expected("ERR_INPUT", "reads", `at most ${task.files.length}`, reads.length);
  let last = -1;
  const checked = reads.map((read: unknown): ShardRead => {
    checkNames(read as object, ["file", "first", "end"], { of: "a read" });
    const values = read as Record<keyof ShardRead, unknown>;
    const file = checkedNumber(values.file, "file", last + 1, task.files.length - 1);
    last = file;
    const first = checkedNumber(values.first, "first", 0, Number.MAX_SAFE_INTEGER - 1);
    return { file, first, end: checkedNumber(values.end, "end", first + 1, Number.MAX_SAFE_INTEGER) };
  });
  return { job, index: checkedNumber(index, "index", 0, number - 1), of: number, reads: checked };
}
