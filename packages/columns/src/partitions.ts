import type { ColumnInfo, LogicalType } from "./table/index.ts";

/** A column whose value the folders of a path state: year and 2024 of `year=2024/month=01/a.parquet`. Null for no value. */
export interface Partition {
  readonly name: string;
  readonly text: string | null;
}

/** The folder that Hive writes for a null. */
const NULL_FOLDER = "__HIVE_DEFAULT_PARTITION__";
const INTEGER = /^-?\d{1,15}$/;
const DAY_MS = 86_400_000;
const I32_MAX = 2 ** 31 - 1;

/**
 * Returns the columns that the folders of a path or URL state, from the outermost on. A name that several folders have is
 * none.
 */
export function partitionsOf(location: string): Partition[] {
  const path = /^[a-z][a-z0-9+.-]+:\/\//i.test(location) ? (URL.parse(location)?.pathname ?? "") : location;
  return path
    .split(/[/\\]/)
    .slice(0, -1)
    .flatMap((folder) => {
      const [, name, text] = /^([^=]+)=(.*)$/.exec(folder) ?? [];
      if (name === undefined || text === undefined) return [];
      return [{ name: decoded(name), text: text === NULL_FOLDER ? null : decoded(text) }];
    })
    .filter(({ name }, _, all) => all.filter((other) => other.name === name).length === 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The types that partitions may have. */
export const PARTITION_TYPES = ["i32", "i64", "date", "string"] as const;
export type PartitionType = (typeof PARTITION_TYPES)[number];
/** Types of partitions by their names. */
export type PartitionTypes = Readonly<Record<string, PartitionType>>;

/**
 * Returns the types of the columns that the folders of some places state: integers, dates and strings. All places must state
 * a column, or it is none.
 */
export function partitionTypes(locations: readonly string[]): PartitionTypes {
  const texts = new Map<string, (string | null)[]>();
  for (const { name, text } of locations.flatMap(partitionsOf)) {
    const own = texts.get(name) ?? [];
    texts.set(name, own);
    own.push(text);
  }
  const whole = [...texts].filter(([, values]) => values.length === locations.length);
  return Object.fromEntries(
    whole.map(([name, values]) => [name, typeOf(values.filter((text) => text !== null))]),
  );
}

function typeOf(texts: readonly string[]): PartitionType {
  if (texts.length > 0 && texts.every((text) => INTEGER.test(text)))
    return texts.every((text) => Math.abs(Number(text)) <= I32_MAX) ? "i32" : "i64";
  return texts.length > 0 && texts.every((text) => dayOf(text) !== null) ? "date" : "string";
}

function dayOf(text: string): number | null {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return new Date(ms || 0).toISOString().startsWith(text) && !Number.isNaN(ms) ? ms / DAY_MS : null;
}

/** The value of a partition in the form in which a column stores it, or null, also for a text that does not fit. */
export function partitionValue(text: string | null, type: PartitionType): number | bigint | string | null {
  if (text === null || type === "string") return text;
  if (type === "date") return dayOf(text);
  if (!INTEGER.test(text)) return null;
  return type === "i64" ? BigInt(text) : Number(text);
}

/** The column of a partition. */
export function partitionColumn(name: string, type: PartitionType, nullable: boolean): ColumnInfo {
  const types: Record<PartitionType, LogicalType> = {
    i32: { kind: "number", type: "i32" },
    i64: { kind: "number", type: "i64" },
    date: { kind: "date", unit: "day" },
    string: { kind: "string" },
  };
  return { name, type: types[type], nullable };
}
