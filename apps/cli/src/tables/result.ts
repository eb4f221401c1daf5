import { basename } from "node:path";
import type { ColumnResult, Task } from "@polybin/cluster/shards";
import type { Timings } from "@polybin/core";
import type { Work } from "../result.ts";

/** The counts of some columns of a table, and all other data that the outputs show. */
export interface TableResult {
  /** The name of the file. */
  readonly name: string;
  /** Files in addition to it. */
  readonly more: number;
  readonly format: string;
  readonly rows: number;
  /** At least one. */
  readonly columns: readonly ColumnResult[];
  /** The column of the groups. Null: no groups. */
  readonly by: Task["by"];
  /** How the first rows were counted. Null if nothing had to be counted on a device, or a part was merged. */
  readonly work: Work | null;
  /** Number of shards that were merged. Null if everything was counted here. */
  readonly merged: number | null;
  readonly timings: Timings;
  /** Bytes of the files. Null if they are unknown. */
  readonly bytes: number | null;
}

/** The part of a result that its task decides. */
export function described({
  files,
  by,
}: Task): Pick<TableResult, "name" | "more" | "format" | "by" | "bytes"> {
  const [first] = files as [Task["files"][number]];
  const bytes = files.reduce<number | null>(
    (sum, { size }) => (sum === null || size === null ? null : sum + size),
    0,
  );
  return { name: nameOf(first.location), more: files.length - 1, format: first.format, by, bytes };
}

/** The last part of a path or of a URL. `-` for standard input. */
function nameOf(location: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(location)) return basename(location);
  const path = URL.parse(location)?.pathname ?? location;
  return basename(path) === "" ? location : basename(path);
}
