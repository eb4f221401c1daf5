import { expected, PolybinError } from "../../base/index.ts";
import { A_COUNT, isCount, type Json, record } from "./json.ts";

export type StorageType = "int" | "double" | "weighted" | "mean" | "weighted_mean";

/** The storages of the schema, the arrays that each has, and what their numbers may be. */
const STORAGES: Readonly<Record<StorageType, Readonly<Record<string, Rule>>>> = {
  int: { values: count },
  double: { values: finite },
  weighted: { values: finite, variances: notNegative },
  mean: { counts: finite, values: maybe, variances: maybe },
  weighted_mean: {
    sum_of_weights: finite,
    sum_of_weights_squared: notNegative,
    values: maybe,
    variances: maybe,
  },
};
const TYPES = Object.keys(STORAGES);

/** Gives the number that a value of JSON is, or says what was expected. */
type Rule = (value: unknown) => number | string;

/** A storage's arrays by name, each laid out as underflow, the bins, overflow. */
export interface Storage {
  readonly type: StorageType;
  readonly rows: Readonly<Record<string, Float64Array>>;
}

/** The axis that a storage is of. */
export interface Frame {
  readonly bins: number;
  readonly underflow: boolean;
  readonly overflow: boolean;
}

/**
 * A dense, a sparse or an empty storage. A bin that it does not name, and a flow bin that the axis does not have, is 0.
 * @throws ERR_INPUT for what the schema does not allow; ERR_UNSUPPORTED for arrays that are in another file.
 */
export function readStorage(json: unknown, path: string, frame: Frame): Storage {
  const storage = record(json, path);
  const type = storage.type as StorageType;
  if (!TYPES.includes(type)) throw expected("ERR_INPUT", `${path}.type`, `one of ${TYPES.join(", ")}`, type);
  const rules = STORAGES[type];
  const names = Object.keys(rules);
  // boost-histogram once noted here which of its counters it had used.
  const known = ["type", "index", ...names, "writer_info"];
  for (const [name, value] of Object.entries(storage)) {
    if (!known.includes(name) && value !== null) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected ${known.join(", ")} in ${path} of type ${type} but received ${name}`,
      );
    }
  }
  const isEmpty = ["index", ...names].every((name) => storage[name] == null);
  const cells = isEmpty ? new Uint32Array(0) : cellsOf(storage, path, frame);
  const rows: Record<string, Float64Array> = {};
  for (const name of names) {
    const row = new Float64Array(frame.bins + 2);
    // A variance of a weighted mean has no value where nothing was weighed.
    if (type === "weighted_mean" && name === "variances") row.fill(Number.NaN);
    if (!isEmpty) fill(row, storage[name], `${path}.${name}`, cells, rules[name]!);
    rows[name] = row;
  }
  return { type, rows };
}

/** The cell of a row that each number of the storage belongs to. */
function cellsOf(storage: Json, path: string, { bins, underflow, overflow }: Frame): Uint32Array {
  const length = bins + (underflow ? 1 : 0) + (overflow ? 1 : 0);
  const first = underflow ? 0 : 1;
  if (storage.index == null) return Uint32Array.from({ length }, (_, i) => first + i);
  const name = `${path}.index`;
  checkInline(storage.index, name);
  if (!Array.isArray(storage.index) || storage.index.length !== 1 || !Array.isArray(storage.index[0])) {
    throw expected("ERR_INPUT", name, "one array of indices, as there is one axis,", storage.index);
  }
  const index: readonly unknown[] = storage.index[0];
  const seen = new Set<unknown>();
  return Uint32Array.from(index, (value, i) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= length) {
      throw expected("ERR_INPUT", `${name}[0][${i}]`, `a whole number from 0 to ${length - 1}`, value);
    }
    if (seen.has(value)) throw expected("ERR_INPUT", `${name}[0][${i}]`, "each index once", value);
    seen.add(value);
    return first + (value as number);
  });
}

function fill(row: Float64Array, values: unknown, name: string, cells: Uint32Array, rule: Rule): void {
  checkInline(values, name);
  if (!Array.isArray(values)) throw expected("ERR_INPUT", name, "an array of numbers", values);
  if (values.length !== cells.length) {
    throw expected("ERR_INPUT", `${name}.length`, `${cells.length}, flow bins included,`, values.length);
  }
  for (let i = 0; i < cells.length; i++) {
    const number = rule(values[i]);
    if (typeof number === "string") throw expected("ERR_INPUT", `${name}[${i}]`, number, values[i]);
    row[cells[i]!] = number;
  }
}

/** @throws ERR_UNSUPPORTED for the path to an array, which UHI's zip and HDF5 files have in its place. */
export function checkInline(array: unknown, name: string): void {
  if (typeof array === "string") {
    throw expected("ERR_UNSUPPORTED", name, "the numbers themselves, not a path to them,", array);
  }
}

function count(value: unknown): number | string {
  return isCount(value) ? value : A_COUNT;
}

function finite(value: unknown): number | string {
  return Number.isFinite(value) ? (value as number) : "a finite number";
}

function notNegative(value: unknown): number | string {
  return Number.isFinite(value) && (value as number) >= 0
    ? (value as number)
    : "a finite number of at least 0";
}

/** NaN, which JSON does not have, comes as null from writers that keep to JSON. */
function maybe(value: unknown): number | string {
  if (value === null) return Number.NaN;
  return typeof value === "number" ? value : "a number or null";
}
