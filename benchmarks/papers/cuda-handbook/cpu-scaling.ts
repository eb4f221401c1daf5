import type { Row } from "../../src/runner/row.ts";
import { median } from "../../src/runner/statistics.ts";
import { FEW_BYTES } from "../../src/suites/papers-cpu.ts";
import { firstOf, notMeasured } from "../causes.ts";
import { claimOf, numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure } from "../model.ts";
import { because, digits, rule, scaling } from "../readings/index.ts";

const [paper, id] = ["cuda-handbook", "cpu-scaling"] as const;
const WHERE = "Privatized (Per Thread) Histograms";
const MULTITHREADED = "multithreaded";

/** Fork, privatize and join in JavaScript, and on a pool with WebAssembly. */
const OURS: Readonly<Record<string, string>> = {
  "cpu multithreaded": MULTITHREADED,
  "piscina per-thread": "per-thread on a pool (ours)",
  "piscina per-lane": "per-lane on a pool (ours)",
};
/** Threads of the machine with a GPU. */
const THREADS = [1, 2, 4, 8, 16];
const numbers = numbersOf(paper, id, "throughput");
const factor = claimOf(paper, id, "over one thread");
const most = numbers[0]!;
/** The paper gives the speed of the most threads, and the factor. */
const one = { ...most, x: 1, y: most.y / factor, where: `${digits(most.y)} / ${factor}` };

/** Rows of large data. Those of a few bytes show what a call costs that only forks and joins. */
function whole(measured: Measured): Row[] {
  return measured.cpu("workers", "papers-cpu").filter(({ n }) => n > FEW_BYTES);
}

/** The time that forking and joining takes of a call with the most threads. */
function forking(measured: Measured): string | null {
  const rows = measured
    .cpu("papers-cpu")
    .filter(({ algorithm }) => algorithm === "multithreaded")
    .toSorted((a, b) => a.n - b.n || a.threads! - b.threads!);
  const last = rows.at(-1);
  const small = rows.find(({ n, threads }) => n < (last?.n ?? 0) && threads === last?.threads);
  if (last === undefined || small === undefined) return null;
  const [all, fork] = [last, small].map(({ ms }) => median(ms));
  return `With ${last.threads} threads, a call over ${digits(last.n)} bytes takes ${digits(all!)} ms, and a call over ${digits(small.n)} bytes ${digits(fork!)} ms, which is the cost of fork and join.`;
}

export const cpuScaling: Figure = {
  paper,
  id,
  title: "The CPU with one histogram per thread",
  source: WHERE,
  lost: "all numbers between one and eight threads",
  needs: "cpu",
  command: "run bench papers-cpu --backend piscina",
  panels: [
    {
      id: "throughput",
      title: "Throughput by threads, uniform bytes",
      mark: "line",
      x: { label: "threads", scale: "linear" },
      y: { label: "10^9 bytes per second", scale: "linear" },
      paper: [one, ...numbers],
      wanted: [MULTITHREADED, OURS["piscina per-thread"]!].flatMap((series) =>
        THREADS.map((x) => ({ series, x })),
      ),
      ours: (measured) =>
        whole(measured).flatMap(
          ({ backend, algorithm, distribution, residence, threads, gbps, weighted }) => {
            const series = OURS[`${backend} ${algorithm}`];
            const is = distribution === "uniform" && residence === "resident" && !weighted;
            return is && series !== undefined && threads !== undefined
              ? [{ series, x: threads, y: gbps }]
              : [];
          },
        ),
    },
  ],
  rules: [
    ...(
      [
        ["All threads over one", 0.5, undefined],
        ["Linear in cores for enough data", 0.9, 1],
      ] as const
    ).map(([claim, atLeast, linear]) =>
      because(
        rule("throughput", claim, WHERE, scaling(MULTITHREADED, atLeast), linear),
        firstOf(forking, notMeasured),
      ),
    ),
    // The paper has no pool. Its statement about threads is tested on ours.
    because(
      rule("throughput", "Linear in cores on a pool", WHERE, scaling(OURS["piscina per-thread"]!, 0.9), 1),
      notMeasured,
    ),
  ],
  notes: [
    "Ours is JavaScript, and WebAssembly on a pool.",
    `The paper's own factor on ${most.x} cores is ${Math.round((factor / Number(most.x)) * 100)}% of linear.`,
  ],
};
