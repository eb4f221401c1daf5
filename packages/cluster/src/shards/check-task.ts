import { checkNames, checkObject, expected } from "@polybin/core/backend";
import { checkAxis, checkType } from "./check-column.ts";
import { checkPlan } from "./check-plan.ts";
import { checkedChoice, checkedList, checkedNumber, checkedText } from "./checked.ts";
import { MAX_FILES, MAX_PARTS, MAX_TASK_CHARACTERS, MAX_TASK_COLUMNS } from "./limits.ts";
import type { Count, Task, TaskColumn, TaskFile } from "./task.ts";

const COUNTS: readonly Count[] = ["extent", "hist", "joint", "profile"];
/**
 * Checks a task that came from outside, and builds it again with its names in a fixed order. The JSON of equal tasks is
 * therefore equal. Nothing is opened.
 * @throws ERR_INPUT for anything but a task, ERR_LIMIT for one that is too large, ERR_AXIS for an invalid axis.
 */
export function checkTask(given: unknown): Task {
  const names = ["version", "count", "files", "columns", "by", "read", "options"];
  checkNames(given as object, names, { of: "the task" });
  const task = given as Record<keyof Task, unknown>;
  if (task.version !== 1) {
    throw expected("ERR_INPUT", "version of the task", "1", task.version, {
      helps: "use one version of polybin everywhere",
    });
  }
  const count = checkedChoice(task.count, COUNTS, "count of the task");
  const files = checkedList(task.files, "files of the task", MAX_FILES).map(checkFile);
  // A file without columns has a profile, too: it states the rows.
  const least = count === "profile" ? 0 : 1;
  const columns = checkedList(task.columns, "columns of the task", MAX_TASK_COLUMNS, least).map((column) =>
    checkColumn(column, count),
  );
  checkDifferent(columns);
  const by = task.by === null ? null : checkColumn(task.by, "extent");
  if (by !== null && count !== "hist")
    throw expected("ERR_INPUT", "by of the task", `null for ${count}`, task.by);
  if (count === "joint" && columns.length !== 2) {
    throw expected("ERR_INPUT", "columns of the task", "2 columns for joint", columns.length);
  }
  const checked: Task = {
    version: 1,
    count,
    files,
    columns,
    by,
    read: checkRead(task.read, files),
    options: plain(task.options, "options of the task"),
  };
  const { length } = JSON.stringify(checked);
  if (length > MAX_TASK_CHARACTERS) {
    throw expected("ERR_LIMIT", "the task", `at most ${MAX_TASK_CHARACTERS} characters`, length);
  }
  if (count === "profile") checkPlan(checked);
  return checked;
}

function checkFile(given: unknown): TaskFile {
  checkNames(given as object, ["location", "format", "size", "version"], { of: "a file of the task" });
  const { location, format, size, version } = given as Record<keyof TaskFile, unknown>;
  if (size !== null && !(Number.isSafeInteger(size) && (size as number) >= 0)) {
    throw expected("ERR_INPUT", "size of a file", "a number of bytes or null", size);
  }
  return {
    location: checkedText(location, "location of a file"),
    format: checkedText(format, "format of a file"),
    size: size as number | null,
    version: version === null ? null : checkedText(version, "version of a file"),
  };
}

function checkColumn(given: unknown, count: Count): TaskColumn {
  checkNames(given as object, ["name", "type", "axis"], { of: "a column of the task" });
  const column = given as Record<keyof TaskColumn, unknown>;
  const name = checkedText(column.name, "name of a column", 0);
  const type = checkType(column.type);
  const hasBins = count === "joint" || (count === "hist" && type.kind !== "string");
  if (!hasBins && column.axis !== null) {
    throw expected("ERR_INPUT", `axis of ${name}`, `null for ${count} of a ${type.kind}`, column.axis);
  }
  return { name, type, axis: hasBins ? checkAxis(column.axis, type) : null };
}

function checkDifferent(columns: readonly TaskColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name)) throw expected("ERR_INPUT", "columns of the task", "each column once", name);
    seen.add(name);
  }
}

/**
 * The options of readers that a task may carry. Those of sources, such as headers and credentials, belong to the process
 * that opens the files: a task from outside must not change where it connects to.
 */
const READ_NAMES = [
  ...["types", "nulls", "separator", "quote", "header", "quotedNewlines", "encoding", "partBytes"],
  ...[
    "escape",
    "comment",
    "skip",
    "badRows",
    "decimal",
    "dateFormat",
    "partitions",
    "wider",
    "array",
    "flatten",
    "type",
  ],
];

/** @throws ERR_INPUT for other options, ERR_LIMIT for parts so small that a file would have too many */
function checkRead(given: unknown, files: readonly TaskFile[]): Task["read"] {
  checkNames(given as object, READ_NAMES, { of: "read of the task" });
  const read = plain(given, "read of the task");
  if (read.partBytes === undefined) return read;
  const largest = files.reduce((most, { size }) => Math.max(most, size ?? 0), 0);
  const bytes = checkedNumber(read.partBytes, "partBytes", 1, Number.MAX_SAFE_INTEGER);
  if (largest / bytes <= MAX_PARTS) return read;
  throw expected(
    "ERR_LIMIT",
    "partBytes",
    `at least ${Math.ceil(largest / MAX_PARTS)}, so that a file has at most ${MAX_PARTS} parts`,
    bytes,
  );
}

/** Checks options that another package checks: an object of plain JSON. Its names are put in order. */
function plain(value: unknown, name: string): Readonly<Record<string, unknown>> {
  checkObject(value, { of: name });
  return ordered(value, name, 0) as Readonly<Record<string, unknown>>;
}

/** Levels of objects and lists in options at most. */
const MOST_DEPTH = 16;

function ordered(value: unknown, name: string, depth: number): unknown {
  if (depth > MOST_DEPTH) throw expected("ERR_LIMIT", name, `at most ${MOST_DEPTH} levels`, value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((one) => ordered(one, name, depth + 1));
  if (typeof value !== "object") throw expected("ERR_INPUT", name, "plain JSON", value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, ordered(one, name, depth + 1)]));
}
