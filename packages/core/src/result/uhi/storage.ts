import { expected, PolybinError } from "../../base/index.ts";
import { MAX_CELLS } from "../../plan/index.ts";
import { A_COUNT, isCount, record } from "./json.ts";

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

/** A storage's arrays by name, over the cells of a frame. */
export interface Storage {
  readonly type: StorageType;
  readonly rows: Readonly<Record<string, Float64Array>>;
}

/** The cells that the numbers of a storage go to. */
export interface Frame {
  /** For each axis, the place of each index of the schema's arrays. */
  readonly places: readonly (readonly number[])[];
  /** For each axis, the number of places. Cells are row-major: the last axis is the fastest. */
  readonly extents: readonly number[];
}

/**
 * Reads a dense, sparse or empty storage. Cells that a sparse storage does not list, and flow cells that the axes do
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
  const cells = frame.extents.reduce((product, extent) => product * extent, 1);
  checkCells(cells * names.length, path);
  const isEmpty = ["index", ...names].every((name) => storage[name] == null);
  const index = storage.index == null ? null : indexOf(storage.index, `${path}.index`, frame);
  const rows: Record<string, Float64Array> = {};
  for (const name of names) {
    const row = new Float64Array(cells);
    // The variance of a weighted mean is undefined in bins without weights.
    if (type === "weighted_mean" && name === "variances") row.fill(Number.NaN);
    const values = storage[name];
    const rule = rules[name]!;
    if (index !== null) fillListed(row, values, `${path}.${name}`, index, rule);
    else if (!isEmpty) fillNested(row, values, `${path}.${name}`, frame, rule);
    rows[name] = row;
  }
  return { type, rows };
}

/**
 * Bounds the memory of a histogram that was read. A short file may name many cells, because it lists only some of them.
 * @throws ERR_LIMIT
 */
export function checkCells(numbers: number, name: string): void {
  if (numbers > MAX_CELLS) {
    throw expected("ERR_LIMIT", name, `at most ${MAX_CELLS} numbers, over all cells,`, numbers);
  }
}

/** Returns the cell of each number of a sparse storage. */
function indexOf(index: unknown, name: string, { places, extents }: Frame): Float64Array {
  checkInline(index, name);
  const axes = places.length;
  if (axes === 0) throw expected("ERR_INPUT", name, "no indices, since there are no axes,", index);
  if (!Array.isArray(index) || index.length !== axes || !index.every(Array.isArray)) {
    const what =
      axes === 1
        ? "one array of indices, since there is one axis,"
        : `${axes} arrays of indices, one per axis,`;
    throw expected("ERR_INPUT", name, what, index);
  }
  const cells = new Float64Array(index[0].length);
  for (const [k, along] of (index as unknown[][]).entries()) {
    const placed = places[k]!;
    if (along.length !== cells.length) {
      throw expected(
        "ERR_INPUT",
        `${name}[${k}].length`,
        `${cells.length}, as ${name}[0] has,`,
        along.length,
      );
    }
    for (const [i, value] of along.entries()) {
      const place = Number.isInteger(value) ? placed[value as number] : undefined;
      if (place === undefined) {
        const what = `a whole number from 0 to ${placed.length - 1}`;
        throw expected("ERR_INPUT", `${name}[${k}][${i}]`, what, value);
      }
      cells[i] = cells[i]! * extents[k]! + place;
    }
  }
  const seen = new Set<number>();
  for (const [i, cell] of cells.entries()) {
    if (seen.has(cell)) throw expected("ERR_INPUT", `${name}[0][${i}]`, "each index once", index[0][i]);
    seen.add(cell);
  }
  return cells;
}

function fillListed(row: Float64Array, values: unknown, name: string, cells: Float64Array, rule: Rule): void {
  checkArray(values, name, cells.length);
  for (let i = 0; i < cells.length; i++) row[cells[i]!] = numberOf(values[i], `${name}[${i}]`, rule);
}

/** Fills a row from arrays nested as deeply as there are axes. */
function fillNested(
  row: Float64Array,
  values: unknown,
  name: string,
  { places, extents }: Frame,
  rule: Rule,
): void {
  const fill = (at: unknown, path: string, depth: number, first: number): void => {
    if (depth === places.length) {
      row[first] = numberOf(at, path, rule);
      return;
    }
    const along = places[depth]!;
    checkArray(at, path, along.length);
    for (const [i, place] of along.entries()) {
      fill(at[i], `${path}[${i}]`, depth + 1, first * extents[depth]! + place);
    }
  };
  // The only cell without axes: a number, or an array of it, as earlier writers have it.
  const isListed = places.length === 0 && Array.isArray(values);
  if (isListed) checkArray(values, name, 1);
  fill(isListed ? values[0] : values, isListed ? `${name}[0]` : name, 0, 0);
}

function checkArray(values: unknown, name: string, length: number): asserts values is unknown[] {
  checkInline(values, name);
  if (!Array.isArray(values)) throw expected("ERR_INPUT", name, "an array of numbers", values);
  if (values.length !== length) {
    throw expected("ERR_INPUT", `${name}.length`, `${length}, flow bins included,`, values.length);
  }
}

function numberOf(value: unknown, name: string, rule: Rule): number {
  const number = rule(value);
  if (typeof number === "string") throw expected("ERR_INPUT", name, number, value);
  return number;
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
