import { checkNames, checkSwitch, expected, PolybinError, STEP_BYTES, Turns } from "../base/index.ts";
import { fixedBytes, nameOfArray } from "./bytes.ts";
import type { ResidentTable } from "./handed.ts";
import { BYTE_NIBBLES, FEATURE_BINS_MIN, MAX_DOCUMENTS, MAX_FEATURES, NIBBLE_VALUES } from "./limits.ts";
import { checkedWhole } from "./samples.ts";
import { rowBytes, VALUE_TRAITS, VALUE_TYPES, type ValueType } from "./value-types.ts";

/**
 * Describes a feature table: values[feature][document], one feature after the other.
 *
 *   u4    two documents per byte, the even one in the lower half; each feature begins at a whole byte
 *   u8    one byte per document
 *   u16   a Uint16Array, or its bytes, little-endian
 */
export interface FeatureTableInit {
  /** The values, feature by feature. */
  readonly values: Uint8Array | Uint8ClampedArray | Uint16Array;
  /** Type of the values. Default: that of the array. */
  readonly type?: ValueType | undefined;
  /** Number of features, at most 2^20. */
  readonly features: number;
  /** Number of documents, at most 2^32 - 1. */
  readonly documents: number;
  /**
   * Number of bins of every feature, or an array of one number per feature: 2 to 65,536, and at most the values of
   * the type.
   */
  readonly bins: number | ArrayLike<number>;
  /**
   * Whether to keep each feature's counts of all documents once they are known, so that later calls add up only sums.
   * The counts take four bytes per bin of this process's memory. They are not kept for a feature with fewer bytes of
   * values. Default: true. If false, every call counts again.
   */
  readonly keepCounts?: boolean | undefined;
}

/** A checked table. Every value is below its feature's number of bins. */
export interface TableValues {
  readonly type: ValueType;
  readonly features: number;
  readonly documents: number;
  /** Number of bins of each feature. */
  readonly bins: readonly number[];
  /** features * rowBytes(type, documents) bytes. */
  readonly bytes: Uint8Array;
}

/** A checked table with the options of its description. */
export interface CheckedTable extends TableValues {
  readonly keepCounts: boolean;
}

/**
 * Copies a table and checks the copy, so that nobody can change a checked value.
 * @param isCopy whether the values are a copy already
 * @throws ERR_INPUT if a value is not below its feature's number of bins, or the description is invalid.
 * @throws ERR_LIMIT above 2^20 features or 2^32 - 1 documents.
 */
export async function checkedTable(
  init: FeatureTableInit,
  signal: AbortSignal | undefined,
  isCopy = false,
): Promise<CheckedTable> {
  const table = shapeOf(init, isCopy);
  const turns = new Turns(signal);
  for (let feature = 0; feature < table.features; feature++) {
    if (table.bins[feature] === VALUE_TRAITS[table.type].values) continue;
    await checkFeature(table, feature, turns);
  }
  return table;
}

const NAMES = [
  "values",
  "type",
  "features",
  "documents",
  "bins",
  "keepCounts",
] satisfies (keyof FeatureTableInit)[];

function shapeOf(init: FeatureTableInit, isCopy: boolean): CheckedTable {
  checkNames(init, NAMES, { of: "a description of a table" });
  const { keepCounts = true } = init;
  checkSwitch(keepCounts, "keepCounts");
  const type = typeOf(init);
  const features = checkedWhole(init.features, "features", 1);
  if (features > MAX_FEATURES) {
    throw expected("ERR_LIMIT", "features", `at most ${MAX_FEATURES} per table`, features);
  }
  const documents = checkedWhole(init.documents, "documents", 0);
  if (documents > MAX_DOCUMENTS) {
    throw expected("ERR_LIMIT", "documents", `at most ${MAX_DOCUMENTS}`, documents);
  }
  const needed = features * rowBytes(type, documents);
  const bytes = fixedBytes(init.values, "values");
  if (bytes.byteLength !== needed) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected ${needed} bytes of values for ${features} features of ${documents} ${type} documents but received ${bytes.byteLength}`,
    );
  }
  const bins = binsOf(init.bins, type, features);
  return Object.freeze({
    type,
    features,
    documents,
    bins,
    bytes: isCopy ? bytes : bytes.slice(),
    keepCounts,
  });
}

function typeOf({ values, type }: FeatureTableInit): ValueType {
  const name = ArrayBuffer.isView(values) ? nameOfArray(values) : undefined;
  const own =
    name === "Uint16Array" ? "u16" : name === "Uint8Array" || name === "Uint8ClampedArray" ? "u8" : null;
  if (own === null) throw expected("ERR_INPUT", "values", "a Uint8Array or a Uint16Array", values);
  if (type === undefined) return own;
  const allowed = own === "u16" ? (["u16"] as const) : VALUE_TYPES;
  if (!(allowed as readonly unknown[]).includes(type)) {
    throw expected("ERR_INPUT", "type", `${allowed.join(" or ")}, the types that a ${name} can hold,`, type);
  }
  return type;
}

function binsOf(bins: FeatureTableInit["bins"], type: ValueType, features: number): readonly number[] {
  const most = VALUE_TRAITS[type].values;
  const checked = (value: unknown, name: string) => checkedWhole(value, name, FEATURE_BINS_MIN, most);
  if (typeof bins === "number") {
    return Object.freeze(new Array<number>(features).fill(checked(bins, "bins")));
  }
  if (typeof bins !== "object" || bins === null || bins.length !== features) {
    throw expected(
      "ERR_INPUT",
      "bins",
      `a number, or an array of ${features} numbers, one per feature,`,
      bins,
    );
  }
  return Object.freeze(Array.from(bins, (value, feature) => checked(value, `bins[${feature}]`)));
}

async function checkFeature(table: TableValues, feature: number, turns: Turns): Promise<void> {
  const bins = table.bins[feature]!;
  for (let first = 0; first < table.documents; first += STEP_BYTES) {
    const values = valuesOf(table, feature, first, Math.min(table.documents, first + STEP_BYTES));
    for (let i = 0; i < values.length; i++) {
      if (values[i]! < bins) continue;
      throw new PolybinError(
        "ERR_INPUT",
        `expected values below ${bins}, the bins of feature ${feature}, but document ${first + i} has ${values[i]}`,
      );
    }
    await turns.next();
  }
}

/** Returns the values of the documents [from, to) of a feature, without a copy except for u4. `from` must be even. */
export function valuesOf(
  { type, documents, bytes }: TableValues,
  feature: number,
  from = 0,
  to: number = documents,
): Uint8Array | Uint16Array {
  const row = feature * rowBytes(type, documents);
  if (type === "u8") return bytes.subarray(row + from, row + to);
  if (type === "u16") {
    return new Uint16Array(bytes.buffer, bytes.byteOffset + row + rowBytes(type, from), to - from);
  }
  const out = new Uint8Array(to - from);
  const packed = bytes.subarray(row + from / BYTE_NIBBLES);
  for (let i = 0; i < out.length; i++) {
    const pair = packed[i >>> 1]!;
    out[i] = i & 1 ? pair >>> 4 : pair & (NIBBLE_VALUES - 1);
  }
  return out;
}

/** A table in this process's memory. */
export class HostTable implements ResidentTable {
  #values: TableValues | null;

  constructor(values: TableValues) {
    this.#values = values;
  }

  /** @throws ERR_INPUT after `free`. */
  get values(): TableValues {
    if (this.#values === null) {
      throw new PolybinError("ERR_INPUT", "expected a feature table but it was freed");
    }
    return this.#values;
  }

  async free(): Promise<void> {
    this.#values = null;
  }
}

/** Returns the values behind a table of a device that keeps its tables in host memory. */
export function tableValuesOf(table: ResidentTable): TableValues {
  if (table instanceof HostTable) return table.values;
  throw new PolybinError("ERR_INPUT", "expected a table of this engine but received something else");
}
