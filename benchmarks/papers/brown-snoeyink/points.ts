import { limits } from "@polybin/core/backend";
import type { Row } from "../../src/runner/row.ts";
import { type Counted, countersOf, residentThreads, total } from "../causes.ts";
import { numbersOf } from "../data.ts";
import type { Measured, PublishedRow } from "../measured.ts";
import type { PaperNumber, Point } from "../model.ts";
import { peakOf } from "../page/hardware.ts";
import { methodOf, publishedMethodOf } from "./rows.ts";

/** Figure 4: the efficiency of each k, by the paper's formula. */
export function rowSumEfficiencies(): Point[] {
  return Array.from({ length: limits.TRISH_WORDS }, (_, i) => {
    return { series: "TRISH", x: i + 1, y: limits.rowSumEfficiency(i + 1) };
  });
}

/** The paper's n: 67,108,864 bytes, and a picture of 2048 x 2048 for Nugteren's program. */
export const N: number = 2 ** 26;
export const SMALL: number = 2 ** 22;

const SHARE = "share of the peak";

/**
 * Throughput on uniform bytes as a share of the peak in percent. All methods have the same n: at the 2048 x 2048 bytes of
 * Nugteren's program, the fixed time of a launch would decide today.
 */
export function sharesOfPeak(measured: Measured, n: number = N): Point[] {
  return shares(
    measured,
    measured.rows("figure6").filter((row) => row.n === n),
    methodOf,
  );
}

/** The same of the kernels as published, with the paper's launch. */
export function publishedShares(measured: Measured): Point[] {
  const rows = measured
    .published("brown-snoeyink Figure 6")
    .filter(({ n, published: { launch } }) => n === N && launch === "paper");
  return shares(measured, rows, publishedMethodOf);
}

function shares<T extends Row>(
  measured: Measured,
  rows: readonly T[],
  nameOf: (row: T) => string | null,
): Point[] {
  const peak = peakOf(measured);
  if (peak === null) return [];
  return rows.flatMap((row) => {
    const series = nameOf(row);
    const is = row.distribution === "uniform" && series !== null;
    return is ? [{ series, x: SHARE, y: (row.gbps / peak) * 100 }] : [];
  });
}

const numbers = numbersOf("brown-snoeyink", "table-1", "counters");
/** Counters that fit one axis, because no method's is 0. */
const COMPARED: readonly string[] = [
  "Throughput GB/s",
  "Resident threads",
  "Ins/Byte",
  "IPC",
  "II",
  "Cycles II/IPC",
];
/** The paper's columns of ratios, and the counters that they compare. */
const RATIOS = [
  { x: "Throughput Perf Ratio", of: "Throughput GB/s", isSpeed: true },
  { x: "Cycles Perf Ratio", of: "Cycles II/IPC", isSpeed: false },
] as const;
const MEASURED = [...new Set(numbers.map(({ x }) => String(x)))].filter(
  (term) => !RATIOS.some(({ x }) => x === term),
);

/** Terms that add up over the kernels of a histogram. The others describe the kernel that counts. */
const ADDED: readonly string[] = [
  ...["Ins/Byte", "II", "Bank Conflicts", "Cycles II/IPC", "Branches", "Divergent Branches"],
];
const TIME = "Time (ns)";

/** Returns a method's value of one of the paper's terms. */
function counterOf(row: Counted, term: string): number | null {
  if (term === "Throughput GB/s") {
    const time = total(row, TIME);
    return time === null ? null : row.n / time;
  }
  if (term === "Resident threads") return residentThreads(row);
  return ADDED.includes(term) ? total(row, term) : (row.terms[term]?.value ?? null);
}

function counted(measured: Measured): Point[] {
  return countersOf(measured)
    .filter(({ distribution }) => distribution === "uniform")
    .flatMap((row) => {
      const { algorithm, k, collisions } = row;
      const series = methodOf({ algorithm, variant: k === undefined ? (collisions ?? "") : `k=${k}` });
      if (series === null) return [];
      return MEASURED.flatMap((x) => {
        const y = counterOf(row, x);
        return y === null ? [] : [{ series, x, y }];
      });
    });
}

/** TRISH's value divided by each method's, or the reverse, which the paper prints as columns of their own. */
const ratioPoints = (points: readonly Point[]): Point[] =>
  RATIOS.flatMap(({ x, of, isSpeed }) =>
    points.flatMap((point) => {
      // The last point of a place is the one that the figure shows.
      const base = points.findLast(({ series, x: term }) => series === "TRISH" && term === of)?.y;
      if (point.x !== of || !base) return [];
      return [{ series: point.series, x, y: isSpeed ? base / point.y : point.y / base }];
    }),
  );

/** Divides each counter by TRISH's, so that all fit one axis. */
const overTrish = (points: readonly Point[]): Point[] =>
  points.flatMap((point) => {
    const base = points.find(({ series, x }) => series === "TRISH" && x === point.x)?.y;
    return base ? [{ ...point, y: point.y / base }] : [];
  });

/** Table 1: the counters of all methods, and the paper's columns of ratios. */
export function counters(measured: Measured): Point[] {
  const points = counted(measured);
  return [...points, ...ratioPoints(points)];
}

const compared = (points: readonly Point[]) =>
  overTrish(points.filter(({ x }) => COMPARED.includes(String(x))));

export function relativeToTrish(measured: Measured): Point[] {
  return compared(counted(measured));
}

/**
 * The counters of Table 1 of the kernels as published, with the paper's launch: those of the kernel that counts, and the
 * throughput of a whole histogram. Shared memory is padded to the paper's occupancy, so it is left out.
 */
function publishedCounts(measured: Measured): Point[] {
  const isShown = ({ n, distribution, published: { launch } }: PublishedRow) =>
    n === N && distribution === "uniform" && launch === "paper";
  const figure = "brown-snoeyink Table 1";
  const own = measured
    .published(figure)
    .filter(isShown)
    .flatMap((row) => {
      const { registers, threads, blocksPerUnit } = row.published;
      const values = {
        "Throughput GB/s": row.gbps,
        Registers: registers,
        "Resident threads": threads * blocksPerUnit,
      };
      return pointsOf(row, values);
    });
  const counted = measured
    .publishedCounters(figure)
    .filter(({ row }) => isShown(row))
    .flatMap(({ row, terms }) =>
      pointsOf(
        row,
        Object.fromEntries(MEASURED.filter((x) => x !== "Shared Mem").map((x) => [x, terms[x]?.value])),
      ),
    );
  // The rows' own values come last, so that they stay.
  return [...counted, ...own];
}

function pointsOf(row: PublishedRow, values: Readonly<Record<string, number | null | undefined>>): Point[] {
  const series = publishedMethodOf(row);
  if (series === null) return [];
  return Object.entries(values).flatMap(([x, y]) => (y == null ? [] : [{ series, x, y }]));
}

export function publishedCounters(measured: Measured): Point[] {
  const points = publishedCounts(measured);
  return [...points, ...ratioPoints(points)];
}

export function publishedRelativeToTrish(measured: Measured): Point[] {
  return compared(publishedCounts(measured));
}

export function relativeNumbers(): PaperNumber[] {
  return compared(numbers).map((point) => ({ ...point, where: "6.3" }));
}
