import { createHash } from "node:crypto";
import type { LogicalType } from "@polybin/columns";
import type { Axis } from "@polybin/core";

/** The kinds of counting. `extent` finds the range of each column, which the other kinds may need first. */
export type Count = "extent" | "hist" | "joint" | "profile";

/** A file of a task, and the state that it must be in. */
export interface TaskFile {
  /** A path, a `file:`, `http:`, `https:` or `s3:` URL. */
  readonly location: string;
  /** Name of the format, such as "csv". */
  readonly format: string;
  /** Bytes, or null if they are unknown. */
  readonly size: number | null;
  /** The ETag, or the time of the last change. Null if neither is known. */
  readonly version: string | null;
}

/** A counted column. */
export interface TaskColumn {
  readonly name: string;
  readonly type: LogicalType;
  /** The bins. Null for strings, which are counted one by one, and for tasks that count into no bins. */
  readonly axis: Axis | null;
}

/** Everything that decides the counts: two equal tasks have equal results. It is plain JSON. */
export interface Task {
  readonly version: 1;
  readonly count: Count;
  readonly files: readonly TaskFile[];
  readonly columns: readonly TaskColumn[];
  /** The column whose values are the groups of `hist`. Null: no groups. */
  readonly by: TaskColumn | null;
  /** Options of the reader, the same for every file. */
  readonly read: Readonly<Record<string, unknown>>;
  /** Options of a profile. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Returns the SHA-256 of a checked task, in hexadecimal digits. */
export function taskId(task: Task): string {
  return sha256(JSON.stringify(task));
}

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
