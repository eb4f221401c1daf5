import { basename } from "node:path";
import type { Task, TaskResult } from "@polybin/cluster/shards";
import type { Timings } from "@polybin/core";
import type { CellsColumn, JointResult, TableResult } from "../output/index.ts";
import { typeName, valueTextOf } from "../values/index.ts";

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

/** Makes the result that the outputs show. @param merged number of shards, if they were merged */
export function jointResult(
  task: Task,
  { joint, rows }: Extract<TaskResult, { readonly count: "joint" }>,
  timings: Timings,
  work: JointResult["work"],
  merged?: number,
): JointResult {
  const { name, more, bytes } = described(task);
  const columns = task.columns.map(
    ({ name: channel, type }): CellsColumn => ({
      input: {
        ...{ name, kind: "table", type: typeName(type), samples: rows, width: null, height: null },
        ...(more > 0 && { files: more + 1 }),
      },
      channel,
      damage: null,
      values: valueTextOf(type),
    }),
  );
  return {
    columns: [columns[0]!, columns[1]!],
    joint,
    work,
    timings,
    bytes: bytes ?? 0,
    isMasked: joint.masked > 0,
    ...(merged === undefined ? {} : { merged }),
  };
}
