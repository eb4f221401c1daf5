import { claimOf, numbersOf } from "../data.ts";
import type { Figure } from "../model.ts";
import { digits, rule, scaling } from "../readings/index.ts";

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
        measured
          .cpu("workers", "papers-cpu")
          .flatMap(({ backend, algorithm, distribution, residence, threads, gbps, weighted }) => {
            const series = OURS[`${backend} ${algorithm}`];
            const is = distribution === "uniform" && residence === "resident" && !weighted;
            return is && series !== undefined && threads !== undefined
              ? [{ series, x: threads, y: gbps }]
              : [];
          }),
    },
  ],
  rules: [
    rule("throughput", "All threads over one", WHERE, scaling(MULTITHREADED, 0.5)),
    rule("throughput", "Linear in cores for enough data", WHERE, scaling(MULTITHREADED, 0.9), 1),
    // The paper has no pool. Its statement about threads is tested on ours.
    rule("throughput", "Linear in cores on a pool", WHERE, scaling(OURS["piscina per-thread"]!, 0.9), 1),
  ],
  notes: [
    "Ours is JavaScript, and WebAssembly on a pool.",
    `The paper's own factor on ${most.x} cores is ${Math.round((factor / Number(most.x)) * 100)}% of linear.`,
  ],
};
