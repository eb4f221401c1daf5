import { expected, PolybinError } from "../../base/index.ts";
import { A_COUNT, isCount, type Json, record } from "./json.ts";

export type StorageType = "int" | "double" | "weighted" | "mean" | "weighted_mean";

/** The storages of the schema, with the arrays of each and the rule for their numbers. */
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

/** Converts a JSON value to a number, or returns a description of the expected value. */
type Rule = (value: unknown) => number | string;

/** A storage's arrays by name. Each holds underflow, the bins, overflow. */
export interface Storage {
  readonly type: StorageType;
  readonly rows: Readonly<Record<string, Float64Array>>;
}

/** The axis of a storage. */
export interface Frame {
  readonly bins: number;
  readonly underflow: boolean;
  readonly overflow: boolean;
}

/**
 * Reads a dense, sparse or empty storage. Bins that a sparse storage does not list, and flow bins that the axis does
 * not have, are 0.
 * @throws ERR_INPUT for JSON that the schema does not allow.
 * @throws ERR_UNSUPPORTED for arrays that are stored in another file.
 */
export function readStorage(json: unknown, path: string, frame: Frame): Storage {
  const storage = record(json, path);
  const type = storage.type as StorageType;
  if (!TYPES.includes(type)) throw expected("ERR_INPUT", `${path}.type`, `one of ${TYPES.join(", ")}`, type);
  const rules = STORAGES[type];
  const names = Object.keys(rules);
  // Early versions of boost-histogram recorded here which of their counters they had used.
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
    // The variance of a weighted mean is undefined in bins without weights.
    if (type === "weighted_mean" && name === "variances") row.fill(Number.NaN);
    if (!isEmpty) fill(row, storage[name], `${path}.${name}`, cells, rules[name]!);
    rows[name] = row;
  }
  return { type, rows };
}

/** Returns the cell of a row for each number of the storage. */
function cellsOf(storage: Json, path: string, { bins, underflow, overflow }: Frame): Uint32Array {
  const length = bins + (underflow ? 1 : 0) + (overflow ? 1 : 0);
  const first = underflow ? 0 : 1;
  if (storage.index == null) return Uint32Array.from({ length }, (_, i) => first + i);
  const name = `${path}.index`;
  checkInline(storage.index, name);
  if (!Array.isArray(storage.index) || storage.index.length !== 1 || !Array.isArray(storage.index[0])) {
    throw expected("ERR_INPUT", name, "one array of indices, since there is one axis,", storage.index);
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

/** @throws ERR_UNSUPPORTED for a path instead of an array, as in UHI's zip and HDF5 files. */
export function checkInline(array: unknown, name: string): void {
  if (typeof array === "string") {
    throw expected("ERR_UNSUPPORTED", name, "an array of numbers instead of a path to it", array);
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

/** JSON has no NaN, so writers of strict JSON use null. */
function maybe(value: unknown): number | string {
  if (value === null) return Number.NaN;
  return typeof value === "number" ? value : "a number or null";
}
