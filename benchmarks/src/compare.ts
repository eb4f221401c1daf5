import { cellKey, dataName, nameOf } from "./axes/cell.ts";
import { median, type Results, type Row } from "./result.ts";

/** A cell that two result files have. */
export interface Change {
  readonly cell: string;
  readonly verdict: "slower" | "faster" | "same" | "unclear";
  /** Medians, milliseconds. */
  readonly oldMs: number;
  readonly newMs: number;
  /** New over old, of cells on the CPU less what the peers changed by. */
  readonly ratio: number;
  /** What noise may come to: the ratio lies outside 1 / (1 + noise) … 1 + noise, or it is noise. */
  readonly noise: number;
}

/** What became of each cell from one file to another. */
export interface Comparison {
  readonly old: { readonly commit: string; readonly date: string };
  readonly new: { readonly commit: string; readonly date: string };
  readonly sameMachine: boolean;
  /** Median of the peers' ratios: what the machine itself changed by. 1 where there are too few. */
  readonly drift: number;
  readonly changes: readonly Change[];
  /** Only in the old file. */
  readonly gone: readonly string[];
  /** Only in the new one. */
  readonly added: readonly string[];
}

/** Fewer runs tell nothing of their spread. */
const LEAST_RUNS = 5;
/** Standard errors that two medians may lie apart. */
const ERRORS = 5;
/** MAD to standard deviation, and the standard error of a median over that of a mean, for normal data. */
const MAD_TO_SIGMA = 1.4826;
const MEDIAN_ERROR = 1.2533;
/** Peers' cells that tell of the machine. */
const LEAST_PEERS = 3;
/** Where peers and our cells share the processor. */
const ON_CPU: readonly (string | null)[] = ["cpu", "piscina"];

/**
 * Compares cell by cell. A cell changed when its medians differ by more than the threshold, and by more than five
 * standard errors of both, taken from the median absolute deviation, which a few disturbed runs do not move. Peers are
 * the same programs before and after: the median of their ratios is the machine's own, and is taken off cells on the CPU.
 */
export function compare(before: Results, after: Results, threshold: number): Comparison {
  const olds = new Map(before.rows.map((row) => [cellKey(row), row]));
  const news = new Map(after.rows.map((row) => [cellKey(row), row]));
  const pairs = [...news].flatMap(([key, row]) => (olds.has(key) ? [{ old: olds.get(key)!, row }] : []));
  const peers = pairs.filter(
    ({ row }) => row.peer !== null && row.backend === null && row.threads !== undefined,
  );
  const ratios = peers.map(({ old, row }) => median(row.ms) / median(old.ms));
  const drift = ratios.length < LEAST_PEERS ? 1 : median(ratios);
  return {
    old: { commit: before.commit, date: before.date },
    new: { commit: after.commit, date: after.date },
    sameMachine: JSON.stringify(before.machine) === JSON.stringify(after.machine),
    drift,
    changes: pairs
      .filter(({ row }) => row.peer === null)
      .map(({ old, row }) => changeOf(old, row, ON_CPU.includes(row.backend) ? drift : 1, threshold)),
    gone: [...olds].flatMap(([key, row]) => (news.has(key) ? [] : [wordsOf(row)])),
    added: [...news].flatMap(([key, row]) => (olds.has(key) ? [] : [wordsOf(row)])),
  };
}

function changeOf(old: Row, row: Row, drift: number, threshold: number): Change {
  const [oldMs, newMs] = [median(old.ms), median(row.ms)];
  const ratio = newMs / oldMs / drift;
  const noise = Math.max(threshold, ERRORS * Math.hypot(relativeError(old.ms), relativeError(row.ms)));
  const few = Math.min(old.ms.length, row.ms.length) < LEAST_RUNS;
  const verdict =
    ratio > 1 + noise
      ? few
        ? "unclear"
        : "slower"
      : ratio < 1 / (1 + noise)
        ? few
          ? "unclear"
          : "faster"
        : "same";
  return { cell: wordsOf(row), verdict, oldMs, newMs, ratio, noise };
}

/** Standard error of the median, as a share of it. */
function relativeError(ms: readonly number[]): number {
  const middle = median(ms);
  const deviation = median(ms.map((value) => Math.abs(value - middle)));
  return (MEDIAN_ERROR * MAD_TO_SIGMA * deviation) / Math.sqrt(ms.length) / middle;
}

function wordsOf(row: Row): string {
  return `${nameOf(row)}: ${dataName(row)}, ${row.residence}`;
}

/** A comparison as people read it: what changed, most first. */
export function comparisonText(of: Comparison, threshold: number): string {
  const { changes, drift, gone, added, sameMachine } = of;
  const changed = changes.filter(({ verdict }) => verdict !== "same");
  const count = (verdict: Change["verdict"]) => changes.filter((change) => change.verdict === verdict).length;
  const width = Math.max(0, ...changed.map(({ cell }) => cell.length));
  return [
    `Compared with commit ${of.old.commit.slice(0, 12)} of ${of.old.date.slice(0, 10)}: ${changes.length} cells, ${count("slower")} slower, ${count("faster")} faster, ${count("unclear")} of too few runs to tell`,
    ...(sameMachine
      ? []
      : ["Not the same machine, or not the same Node: times of GPUs may not be comparable."]),
    ...(drift === 1
      ? []
      : [
          `The peers, which are the same programs, took ${drift.toFixed(2)} times as long; cells on the CPU are told less that.`,
        ]),
    ...changed
      .toSorted((a, b) => b.ratio - a.ratio)
      .map(
        ({ cell, verdict, oldMs, newMs, ratio, noise }) =>
          `  ${verdict.padEnd(7)}  ${cell.padEnd(width)}  ${ms(oldMs)} -> ${ms(newMs)} ms  ${ratio.toFixed(2)}x (noise ${(100 * noise).toFixed(0)}%)`,
      ),
    ...(changed.length === 0
      ? [`No cell changed by more than ${(100 * threshold).toFixed(0)}% and its noise.`]
      : []),
    ...(gone.length === 0 ? [] : [`${gone.length} cells are only in the old file${examples(gone)}`]),
    ...(added.length === 0 ? [] : [`${added.length} cells are only in the new one${examples(added)}`]),
    "",
  ].join("\n");
}

function examples(cells: readonly string[]): string {
  return `: ${cells.slice(0, 3).join("; ")}${cells.length > 3 ? " …" : ""}`;
}

function ms(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
