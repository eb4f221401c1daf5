import { expect } from "vitest";

type Json = Readonly<Record<string, unknown>>;

const isNumber = (value: unknown): boolean => typeof value === "number";
const isInteger = (value: unknown): boolean => Number.isInteger(value);
const isText = (value: unknown): boolean => typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isNested = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => isNumber(one) || isNested(one));
const isNestedOrNull = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => one === null || isNumber(one) || isNestedOrNull(one));
const isListOf = (test: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(test) && new Set(value).size === value.length;

const ends = { underflow: isFlag, overflow: isFlag, circular: isFlag };
const AXES: Readonly<Record<string, Record<string, (value: unknown) => boolean>>> = {
  regular: { lower: isNumber, upper: isNumber, bins: isInteger, ...ends },
  variable: { edges: isListOf(isNumber), ...ends },
  category_int: { categories: isListOf(isInteger), flow: isFlag },
  category_str: { categories: isListOf(isText), flow: isFlag },
  boolean: {},
};
const STORAGES: Readonly<Record<string, Record<string, (value: unknown) => boolean>>> = {
  int: { values: isNested },
  double: { values: isNested },
  weighted: { values: isNested, variances: isNested },
  mean: { counts: isNested, values: isNestedOrNull, variances: isNestedOrNull },
  weighted_mean: {
    sum_of_weights: isNested,
    sum_of_weights_squared: isNested,
    values: isNestedOrNull,
    variances: isNestedOrNull,
  },
};

/**
 * Checks a dense histogram by the rules of histogram.schema.json, version 1, of scikit-hep/uhi: the keys of each object
 * and the types of their values. Means may be null, for which Python's JSON has NaN. The shape of the arrays follows
 * from the axes.
 */
export function expectSchema(json: unknown): void {
  const histogram = json as Json;
  const { axes, storage, writer_info, metadata = {}, ...rest } = histogram as Readonly<Record<string, Json>>;
  expect(rest).toEqual({ uhi_schema: 1 });
  expectNotes(writer_info!);
  expectScalars(metadata);
  const shape = (axes as unknown as readonly Json[]).map(expectAxis);
  const { type, ...arrays } = storage!;
  const rules = STORAGES[type as string]!;
  expect(rules, `storage ${type}`).toBeDefined();
  expect(Object.keys(arrays).sort()).toEqual(Object.keys(rules).sort());
  for (const [name, test] of Object.entries(rules)) {
    expect(test(arrays[name]), name).toBe(true);
    expect(shapeOf(arrays[name])).toEqual(shape);
  }
}

/** Returns the number of indices along the axis. */
function expectAxis({ type, writer_info = {}, metadata = {}, ...own }: Json): number {
  const rules = AXES[type as string]!;
  expect(rules, `axis ${type}`).toBeDefined();
  expect(Object.keys(own).sort()).toEqual(Object.keys(rules).sort());
  for (const [name, test] of Object.entries(rules)) expect(test(own[name]), name).toBe(true);
  expectNotes(writer_info as Json);
  expectScalars(metadata as Json);
  const { bins, edges, categories, underflow, overflow, flow } = own as Readonly<Record<string, never>>;
  const inside = bins ?? (edges as unknown[])?.length - 1;
  const count = type === "boolean" ? 2 : Number.isNaN(inside) ? (categories as unknown[]).length : inside;
  return count + Number(underflow ?? false) + Number(overflow ?? false) + Number(flow ?? false);
}

function expectNotes(writers: Json): void {
  for (const notes of Object.values(writers)) expectScalars(notes as Json);
}

function expectScalars(record: Json): void {
  expect(Array.isArray(record)).toBe(false);
  for (const value of Object.values(record)) expect(["string", "number", "boolean"]).toContain(typeof value);
}

/** The lengths of nested arrays, which must be equal on each level. */
function shapeOf(array: unknown): number[] {
  if (!Array.isArray(array)) return [];
  const [first, ...others] = array.map(shapeOf);
  for (const other of others) expect(other).toEqual(first);
  return [array.length, ...(first ?? [])];
}
