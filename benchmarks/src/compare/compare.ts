import { cellKey, cellName, lateLine } from "../runner/names.ts";
import type { Results, Row } from "../runner/row.ts";
import { median, noiseOf } from "../runner/statistics.ts";

/** A cell in old and new result files. Resident data on a GPU have two: one of kernels, one of whole calls. */
export interface Change {
  readonly cell: string;
  readonly verdict: "slower" | "faster" | "same" | "unclear";
  /** Medians in milliseconds. */
  readonly oldMs: number;
  readonly newMs: number;
  /** New time over old. For cells on the CPU, the change of the peers is taken out. */
  readonly ratio: number;
  /** The largest change that may be noise. A ratio within 1 / (1 + noise) … 1 + noise is noise. */
  readonly noise: number;
}

/** The change of each cell from one file to another. */
export interface Comparison {
  readonly old: { readonly commit: string; readonly date: string };
  readonly new: { readonly commit: string; readonly date: string };
  readonly sameMachine: boolean;
  /** Median of the peers' ratios, which is the change of the machine itself. 1 if there are too few peers. */
  readonly drift: number;
  readonly changes: readonly Change[];
  /** Cells of an old file that every new one lacks, although time was left. */
  readonly gone: readonly string[];
  /** Cells of an old file that ran out of time in the new ones. */
  readonly late: readonly string[];
  /** Cells of new files only. */
  readonly added: readonly string[];
}

/** The fewest runs whose spread is meaningful. */
const LEAST_RUNS = 5;
/** The fewest peers' cells that show a change of the machine. */
const LEAST_PEERS = 3;
/** Backends that share the processor with peers. */
const ON_CPU: readonly (string | null)[] = ["cpu", "native", "piscina"];

/**
 * Compares cell by cell. A cell changed if its medians differ by more than the threshold and by more than five standard
 * errors of both. The errors follow from the median absolute deviation, which a few disturbed runs do not move. Peers are
 * the same programs before and after. The median of their ratios is the machine's own change, and is taken out of cells on
 * the CPU. One process does not show how far another one deviates. With several files per side, a cell therefore changed
 * only if it did between each old and each new file. Rows that are not exact are ignored.
 */
export function compare(olds: readonly Results[], news: readonly Results[], threshold: number): Comparison {
  const pairings = olds.flatMap((old) => news.map((now) => pairingOf(old, now, threshold)));
  const changes = Map.groupBy(
    pairings.flatMap(({ changes }) => changes),
    ({ key }) => key,
  );
  const [before, after] = [oursOf(olds), oursOf(news)];
  const missing = new Set(news.flatMap((now) => now.missing));
  const lost = Map.groupBy(
    [...before].flatMap(([key, row]) => (after.has(key) ? [] : [row])),
    (row) => missing.has(lateLine(row)),
  );
  return {
    old: { commit: olds[0]!.commit, date: olds[0]!.date },
    new: { commit: news[0]!.commit, date: news[0]!.date },
    sameMachine: new Set([...olds, ...news].map(({ machine }) => JSON.stringify(machine))).size === 1,
    drift: median(pairings.map(({ drift }) => drift)),
    changes: [...changes.values()].map((of) => agreed(of.map(({ change }) => change))),
    gone: (lost.get(false) ?? []).map(cellName),
    late: (lost.get(true) ?? []).map(cellName),
    added: [...after].flatMap(([key, row]) => (before.has(key) ? [] : [cellName(row)])),
  };
}

/** Whether a cell is slower or gone. */
export function isWorse({ changes, gone }: Comparison): boolean {
  return gone.length > 0 || changes.some(({ verdict }) => verdict === "slower");
}

/** The cells that a run requested. */
interface Asked {
  readonly backends: readonly string[];
  readonly algorithms?: readonly string[] | undefined;
  /** Whether values of axes were chosen. */
  readonly isChosen: boolean;
}

/** Removes our cells that a run did not request, so that they do not count as gone. */
export function askedFor(old: Results, found: Results, { backends, algorithms, isChosen }: Asked): Results {
  const known = oursOf([found]);
  const isAsked = ({ backend, algorithm }: Row) =>
    backends.includes(backend!) && (algorithms?.includes(algorithm!) ?? true);
  const stays = (row: Row) => row.peer !== null || (isChosen ? known.has(cellKey(row)) : isAsked(row));
  return { ...old, rows: old.rows.filter(stays) };
}

/** Lists our cells in any of the files. */
function oursOf(files: readonly Results[]): Map<string, Row> {
  const ours = files.flatMap(({ rows }) => rows.filter(({ exact, peer }) => exact && peer === null));
  return new Map(ours.map((row) => [cellKey(row), row]));
}

interface Pairing {
  readonly drift: number;
  readonly changes: readonly { readonly key: string; readonly change: Change }[];
}

/** Compares one old file with one new file. */
function pairingOf(before: Results, after: Results, threshold: number): Pairing {
  const olds = new Map(before.rows.filter(({ exact }) => exact).map((row) => [cellKey(row), row]));
  const pairs = after.rows.flatMap((row) => {
    const old = olds.get(cellKey(row));
    return row.exact && old !== undefined ? [{ old, row }] : [];
  });
  const ratios = pairs
    .filter(({ row }) => row.peer !== null && row.backend === null && row.threads !== undefined)
    .map(({ old, row }) => median(row.ms) / median(old.ms));
  const drift = ratios.length < LEAST_PEERS ? 1 : median(ratios);
  const changes = pairs
    .filter(({ row }) => row.peer === null)
    .flatMap(({ old, row }) => {
      const [key, cell] = [cellKey(row), cellName(row)];
      const of = { cell, drift: ON_CPU.includes(row.backend) ? drift : 1, threshold };
      const change = { key, change: changeOf(old.ms, row.ms, of) };
      const more: { key: string; change: Change }[] = [];
      if (old.callMs !== undefined && row.callMs !== undefined) {
        const call = changeOf(old.callMs, row.callMs, { ...of, cell: `${cell}, whole call` });
        more.push({ key: `${key} whole call`, change: call });
      }
      if (row.call !== undefined && Math.min(old.ms.length, row.ms.length) >= LEAST_TAIL_RUNS) {
        const tail = tailChange(old.ms, row.ms, { ...of, cell: `${cell}, 99th percentile` });
        more.push({ key: `${key} p99`, change: tail });
      }
      return [change, ...more];
    });
  return { drift, changes };
}

/** Combines all pairs of files: the smallest of their changes if all agree, else no change. */
function agreed(changes: readonly Change[]): Change {
  const size = ({ ratio }: Change) => Math.abs(Math.log(ratio));
  const least = changes.reduce((a, b) => (size(b) < size(a) ? b : a));
  return changes.every(({ verdict }) => verdict === least.verdict) ? least : { ...least, verdict: "same" };
}

function changeOf(
  old: readonly number[],
  now: readonly number[],
  { cell, drift, threshold }: { readonly cell: string; readonly drift: number; readonly threshold: number },
): Change {
  const [oldMs, newMs] = [median(old), median(now)];
  const ratio = newMs / oldMs / drift;
  const noise = noiseOf(old, now, threshold);
  const isSame = ratio <= 1 + noise && ratio >= 1 / (1 + noise);
  const isFew = Math.min(old.length, now.length) < LEAST_RUNS;
  const verdict = isSame ? "same" : isFew ? "unclear" : ratio > 1 ? "slower" : "faster";
  return { cell, verdict, oldMs, newMs, ratio, noise };
}

/** The ranks that enclose the 99th percentile with 99% confidence, by the binomial distribution. */
const TAIL = 0.99;
/** The fewest calls with a known 99th percentile. */
const LEAST_TAIL_RUNS = 100;
const TAIL_ERRORS = 2.58;

/** A 99th percentile changed if its whole confidence interval lies beyond the old one and the threshold. */
function tailChange(
  old: readonly number[],
  now: readonly number[],
  { cell, drift, threshold }: { readonly cell: string; readonly drift: number; readonly threshold: number },
): Change {
  const [before, after] = [tailOf(old), tailOf(now.map((ms) => ms / drift))];
  const ratio = after.at / before.at;
  const noise = Math.max(before.most / before.least, after.most / after.least) * (1 + threshold) - 1;
  const isSlower = after.least > before.most * (1 + threshold);
  const isFaster = after.most * (1 + threshold) < before.least;
  const verdict = isSlower ? "slower" : isFaster ? "faster" : "same";
  return { cell, verdict, oldMs: before.at, newMs: after.at * drift, ratio, noise };
}

function tailOf(ms: readonly number[]): { at: number; least: number; most: number } {
  const sorted = [...ms].sort((a, b) => a - b);
  const spread = TAIL_ERRORS * Math.sqrt(ms.length * TAIL * (1 - TAIL));
  const at = (rank: number) => sorted[Math.max(0, Math.min(sorted.length, Math.ceil(rank)) - 1)]!;
  const rank = TAIL * ms.length;
  // The largest value may still grow, because rarer calls are unknown.
  const most = rank + spread >= ms.length ? sorted.at(-1)! : at(rank + spread);
  return { at: at(rank), least: at(rank - spread), most };
}

/** Writes a comparison as text: the changed cells, the largest change first. */
export function comparisonText(of: Comparison, threshold: number): string {
  const { changes, drift, gone, late, added, sameMachine } = of;
  const changed = changes.filter(({ verdict }) => verdict !== "same");
  const count = (verdict: Change["verdict"]) => changes.filter((change) => change.verdict === verdict).length;
  const width = Math.max(0, ...changed.map(({ cell }) => cell.length));
  return [
    `Compared with commit ${of.old.commit.slice(0, 12)} of ${of.old.date.slice(0, 10)}: ${changes.length} cells, ${count("slower")} slower, ${count("faster")} faster, ${count("unclear")} with too few runs to decide`,
    ...(sameMachine ? [] : ["The machine or Node differs, so times of GPUs may not be comparable."]),
    ...(drift === 1
      ? []
      : [
          `The peers, which are the same programs, took ${drift.toFixed(2)} times as long. This factor is taken out of cells on the CPU.`,
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
    ...(gone.length === 0
      ? []
      : [`Gone, although time was left: ${gone.length} cell${gone.length === 1 ? "" : "s"}`]),
    ...gone.map((cell) => `  ${cell}`),
    ...(late.length === 0 ? [] : [`${late.length} cells ran out of time${examples(late)}`]),
    ...(added.length === 0 ? [] : [`${added.length} cells are new${examples(added)}`]),
    "",
  ].join("\n");
}

function examples(cells: readonly string[]): string {
  return `: ${cells.slice(0, 3).join("; ")}${cells.length > 3 ? " …" : ""}`;
}

function ms(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
