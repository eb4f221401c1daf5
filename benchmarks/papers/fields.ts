import type { Row } from "../src/runner/row.ts";
import { median } from "../src/runner/statistics.ts";
import { FEW_BYTES } from "../src/suites/papers-cpu.ts";
import type { Published } from "../src/suites/podlozhnyuk.ts";
import type { WeightedCounters } from "../src/suites/weighted-counters.ts";
import { methodOf } from "./brown-snoeyink/rows.ts";
import { type Counted, type Launch, residentThreads, total } from "./causes.ts";
import type { PublishedRow, SumsRow } from "./measured.ts";
import { bytesAWarpOf, occupancyOf, sharedOverOthers, threadsOf } from "./occupancy.ts";
import { conflictsOf, throughputOf } from "./podlozhnyuk/published.ts";
import { limiterOf, unrollOf } from "./xu/counters.ts";
import { bytesAValue, documentsASecond } from "./xu/cpu.ts";
import { nameOf } from "./xu/rows.ts";
import { bytesABlock, bytesAWarp } from "./xu/table-5.ts";

/** The kernel that adds up the tables of blocks. Another one behind it delivers the counts. */
const isMerge = ({ kernel }: Launch): boolean => /\bmergeTables\b/.test(kernel);

/** Values that follow from a row, or from what a profiler counted, by the names in the figures' data. */
const FIELDS: Readonly<Record<string, (record: never) => unknown>> = {
  /** The paper's name of a method. */
  method: (row: Row) => (row.weighted ? nameOf(row as SumsRow) : methodOf(row)),
  "algorithm and variant": ({ algorithm, variant }: Row) => [algorithm, variant].filter(Boolean).join(" "),
  /** The side of a square picture, in pixels. */
  side: ({ n, distribution }: Row) => Math.sqrt(distribution.startsWith("picture, RGBA") ? n / 4 : n),
  µs: ({ ms }: Row) => median(ms) * 1000,
  "bins as text": ({ bins }: Row) => String(bins),
  "backend and algorithm": ({ backend, algorithm }: Row) => `${backend} ${algorithm}`,
  /** Whether a call over the row's samples mostly forks and joins. */
  "few bytes": ({ n }: Row) => n <= FEW_BYTES,
  "bytes per value": bytesAValue,
  "10^9 documents per second": documentsASecond,
  "GB/s of values": (row: Row) => bytesAValue(row) * documentsASecond(row),
  "10^9 documents per gigabyte": (row: Row) => documentsASecond(row) / row.gbps,
  /** Follows the name of a series whose threads fetch words. A word has several documents. */
  words: ({ weighted }: SumsRow) => (weighted.fetch === "word" ? ", words" : ""),
  /** The best or the worst values for collisions. */
  extreme: ({ weighted: { sigma } }: SumsRow) =>
    sigma === undefined ? "uniform" : sigma === 0 ? "all equal" : null,
  "bytes per warp": bytesAWarp,
  "reads N_unroll at a time": (one: WeightedCounters) => unrollOf(one) === one.cell.unroll,
  "shared memory over the others": limiterOf,
  "shared memory per block, kB": (row: SumsRow) => {
    const bytes = bytesABlock(row);
    return bytes === null ? null : bytes / 1024;
  },
  "throughput with merge": (line: Published) => throughputOf(line),
  /** The time of the merge as a share of the time of counting, in percent: as published, and by ncu's counters. */
  "published merge, %": ({ ms, mergeMs }: Published) => (mergeMs / ms) * 100,
  "merge, %": ({ terms, others }: Counted) => {
    const [count, merge] = [terms, others.find(isMerge)?.terms].map((of) => of?.["Time (ns)"]?.value);
    return count && merge != null ? (merge / count) * 100 : null;
  },
  "conflicts per access": (line: Published) => conflictsOf(line),
  "resident threads": residentThreads,
  /** The resources of a launch of a kernel as published. */
  "published threads": ({ published }: PublishedRow) => threadsOf(published),
  "occupancy that fits, %": ({ published }: PublishedRow) => occupancyOf(published),
  "published bytes per warp": ({ published }: PublishedRow) => bytesAWarpOf(published),
  "published shared memory over the others": ({ published }: PublishedRow) => sharedOverOthers(published),
  "instructions per byte": (row: Counted) => total(row, "Ins/Byte"),
};

/** Returns a field of a record: a computed one, or the one at a path. Null if the record lacks it. */
export function fieldOf(record: object, name: string): unknown {
  const own = (record as Readonly<Record<string, unknown>>)[name];
  const computed = FIELDS[name];
  if (own === undefined && computed !== undefined) return computed(record as never);
  const at = (value: unknown, part: string) => (value as Readonly<Record<string, unknown>> | null)?.[part];
  return own ?? name.split(".").reduce<unknown>(at, record) ?? null;
}
