import { ceilingsOf } from "./ceilings.ts";
import type { Row } from "./types.ts";
import { isCeiling, isOurs, kindOf, memoryOf, sizeOf } from "./words.ts";

/** One measurement session of one kind of samples: one file, hence one machine and one commit. */
export interface Run {
  /** Names the run in the address. */
  readonly key: string;
  /** `u8, 256 bins, 2^30 samples, device memory`. */
  readonly what: string;
  /** On one basis, without ceilings. */
  readonly rows: readonly Row[];
  /** The fastest plain read or copy of the same bytes from the same memory in the same file; null if not measured. */
  readonly ceiling: Row | null;
}

/** A single call is compared with single calls; segments and tables of features have views of their own. */
const isPlain = ({ weighted, segments, inFlight, devices }: Row): boolean =>
  weighted === undefined && segments === undefined && inFlight === undefined && devices === undefined;

const keyOf = (row: Row): string => [row.file.path, kindOf(row), row.n, memoryOf(row)].join(" ");

/**
 * Finds the runs that allow a verdict: ours on at least two distributions. Runs on a GPU come first. Among
 * them, the run with most other programs on several distributions, then the one with more distributions, then the latest.
 * @param rows rows on one basis
 * @param measured all rows of the machine, ceilings among them
 */
export function runsOf(rows: readonly Row[], measured: readonly Row[]): Run[] {
  const ceilingOf = ceilingsOf(measured);
  const groups = Map.groupBy(
    rows.filter((row) => isPlain(row) && !isCeiling(row)),
    keyOf,
  );
  return [...groups]
    .filter(([, group]) => spread(group.filter(isOurs)) > 1)
    .sort(
      ([, a], [, b]) =>
        preferred(b) - preferred(a) || dateOf(b).localeCompare(dateOf(a)) || b[0]!.n - a[0]!.n,
    )
    .map(([key, group]) => {
      const one = group[0]!;
      return {
        key,
        what: `${kindOf(one)}, ${sizeOf(one.n)} samples, ${memoryOf(one)}`,
        rows: group,
        ceiling: ceilingOf(one),
      };
    });
}

const spread = (rows: readonly Row[]): number => new Set(rows.map(({ distribution }) => distribution)).size;
const dateOf = (rows: readonly Row[]): string => rows[0]!.file.date ?? "";

/** Bytes come first, because all programs count them, and the memory of a GPU before other memory. */
function preferred(rows: readonly Row[]): number {
  const peers = Map.groupBy(
    rows.filter((row) => !isOurs(row)),
    ({ peer }) => peer,
  );
  const several = [...peers.values()].filter((of) => spread(of) > 1).length;
  const bytes = kindOf(rows[0]!) === "u8, 256 bins" ? 1000 : 0;
  const device = memoryOf(rows[0]!) === "device memory" ? 500 : 0;
  return bytes + device + several * 20 + spread(rows.filter(isOurs));
}

/** Share of a run's ceiling in percent; null without a ceiling. Above 100 the ceiling is invalid. */
export const shareOf = ({ gbps }: Row, { ceiling }: Run): number | null =>
  ceiling === null ? null : (100 * gbps) / ceiling.gbps;

/** Whether a row of the run is faster than its ceiling, which is then none. */
export const isInvalid = (run: Run): boolean => run.rows.some((row) => (shareOf(row, run) ?? 0) > 100);
