import type { LogicalType } from "@polybin/columns";
import { type Axis, boolean, PolybinError } from "@polybin/core";
import { axisBeforehand, checkNames, checkObject, expected, SAMPLE_TRAITS } from "@polybin/core/backend";
import { MAX_FILES, MAX_TASK_CHARACTERS, MAX_TASK_COLUMNS, MAX_TEXT } from "./limits.ts";
import type { Count, Task, TaskColumn, TaskFile } from "./task.ts";

const COUNTS: readonly Count[] = ["extent", "hist", "joint", "profile"];
/** The names of a logical type, apart from its kind. */
const TYPE_NAMES: { readonly [kind in Exclude<LogicalType["kind"], "refused">]: readonly string[] } = {
  number: ["type"],
  boolean: [],
  timestamp: ["unit", "timezone"],
  date: ["unit"],
  time: ["unit"],
  decimal: ["scale", "precision"],
  string: [],
};
const TIME_UNITS = ["s", "ms", "us", "ns"];
const DATE_UNITS = ["day", "ms"];

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
    throw expected("ERR_INPUT", "version of the task", "1", task.version, { helps: "use one version of polybin everywhere" });
  }
  const count = oneOf(task.count, COUNTS, "count of the task");
  const files = list(task.files, "files", MAX_FILES).map(checkFile);
  const columns = list(task.columns, "columns", MAX_TASK_COLUMNS).map((column) => checkColumn(column, count));
  checkDifferent(columns);
  const by = task.by === null ? null : checkColumn(task.by, "extent");
  if (by !== null && count !== "hist") throw expected("ERR_INPUT", "by of the task", `null for ${count}`, task.by);
  if (count === "joint" && columns.length !== 2) {
    throw expected("ERR_INPUT", "columns of the task", "2 columns for joint", columns.length);
  }
  const checked: Task = {
    version: 1,
    count,
    files,
    columns,
    by,
    read: plain(task.read, "read of the task"),
    options: plain(task.options, "options of the task"),
  };
  const { length } = JSON.stringify(checked);
  if (length > MAX_TASK_CHARACTERS) {
    throw expected("ERR_LIMIT", "the task", `at most ${MAX_TASK_CHARACTERS} characters`, length);
  }
  return checked;
}

function checkFile(given: unknown): TaskFile {
  checkNames(given as object, ["location", "format", "size", "version"], { of: "a file of the task" });
  const { location, format, size, version } = given as Record<keyof TaskFile, unknown>;
  if (size !== null && !(Number.isSafeInteger(size) && (size as number) >= 0)) {
    throw expected("ERR_INPUT", "size of a file", "a number of bytes or null", size);
  }
  return {
    location: text(location, "location of a file"),
    format: text(format, "format of a file"),
    size: size as number | null,
    version: version === null ? null : text(version, "version of a file"),
  };
}

function checkColumn(given: unknown, count: Count): TaskColumn {
  checkNames(given as object, ["name", "type", "axis"], { of: "a column of the task" });
  const column = given as Record<keyof TaskColumn, unknown>;
  const name = text(column.name, "name of a column", 0);
  const type = checkType(column.type);
  const hasBins = count === "joint" || (count === "hist" && type.kind !== "string");
  if (!hasBins && column.axis !== null) {
    throw expected("ERR_INPUT", `axis of ${name}`, `null for ${count} of a ${type.kind}`, column.axis);
  }
  return { name, type, axis: hasBins ? checkAxis(column.axis, type) : null };
}

/** Checks the type of a column. @throws ERR_INPUT, ERR_UNSUPPORTED for one that cannot be read */
export function checkType(given: unknown): LogicalType {
  checkObject(given, { of: "type of a column" });
  const type = given as { readonly kind: unknown; readonly reason?: unknown };
  if (type.kind === "refused") {
    throw new PolybinError("ERR_UNSUPPORTED", `expected a column that can be read but it cannot: ${String(type.reason)}`);
  }
  const kind = oneOf(type.kind, Object.keys(TYPE_NAMES) as (keyof typeof TYPE_NAMES)[], "kind of a column");
  checkNames(given as object, ["kind", ...TYPE_NAMES[kind]], { of: `a type of kind ${kind}` });
  const values = given as Record<string, unknown>;
  switch (kind) {
    case "boolean":
    case "string":
      return { kind };
    case "number":
      return { kind, type: oneOf(values.type, SAMPLE_TYPES, "type of a number") };
    case "timestamp": {
      const timezone = values.timezone === null ? null : text(values.timezone, "timezone");
      return { kind, unit: oneOf(values.unit, TIME_UNITS, "unit") as "s", timezone };
    }
    case "date":
      return { kind, unit: oneOf(values.unit, DATE_UNITS, "unit") as "day" };
    case "time":
      return { kind, unit: oneOf(values.unit, TIME_UNITS, "unit") as "s" };
    case "decimal":
      return { kind, scale: whole(values.scale, "scale", -MOST_DIGITS), precision: whole(values.precision, "precision", 1) };
  }
}

const SAMPLE_TYPES = Object.keys(SAMPLE_TRAITS) as (keyof typeof SAMPLE_TRAITS)[];
/** Decimal digits of the widest decimal of any format. */
const MOST_DIGITS = 76;

function whole(value: unknown, name: string, least: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= MOST_DIGITS) return value as number;
  throw expected("ERR_INPUT", `${name} of a decimal`, `a whole number from ${least} to ${MOST_DIGITS}`, value);
}

/** Booleans have their own axis, and all other values an ordered one. */
function checkAxis(given: unknown, type: LogicalType): Axis {
  if (type.kind === "string") {
    throw new PolybinError("ERR_UNSUPPORTED", "expected columns of numbers for joint but received strings");
  }
  if (type.kind === "boolean") {
    checkNames(given as object, ["type", "bins"], { of: "the axis of a boolean" });
    const axis = boolean();
    if ((given as Axis).type !== axis.type) throw expected("ERR_AXIS", "axis.type", axis.type, (given as Axis).type);
    return axis;
  }
  const axis = axisBeforehand("f64", { axis: given as Axis })!;
  if (axis.type === "integer" || axis.type === "regular" || axis.type === "variable") return axis;
  throw expected("ERR_AXIS", "axis.type", "integer, regular or variable", axis.type);
}

function checkDifferent(columns: readonly TaskColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name)) throw expected("ERR_INPUT", "columns of the task", "each column once", name);
    seen.add(name);
  }
}

function list(value: unknown, name: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw expected("ERR_INPUT", `${name} of the task`, "a list", value);
  if (value.length <= most) return value;
  throw expected("ERR_LIMIT", `${name} of the task`, `at most ${most}`, value.length);
}

function text(value: unknown, name: string, least = 1): string {
  if (typeof value === "string" && value.length >= least && value.length <= MAX_TEXT) return value;
  throw expected("ERR_INPUT", name, `a text of ${least} to ${MAX_TEXT} characters`, value);
}

function oneOf<T extends string>(value: unknown, choices: readonly T[], name: string): T {
  if (choices.includes(value as T)) return value as T;
  throw expected("ERR_INPUT", name, `one of ${choices.join(", ")}`, value);
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
