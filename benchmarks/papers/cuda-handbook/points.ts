import { FEW_BYTES } from "../../src/suites/papers-cpu.ts";
import { claimOf, numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { PaperNumber, Point } from "../model.ts";
import { digits } from "../readings/index.ts";

/** Fork, privatize and join in JavaScript, and on a pool with WebAssembly. */
const OURS: Readonly<Record<string, string>> = {
  "cpu multithreaded": "multithreaded",
  "piscina per-thread": "per-thread on a pool (ours)",
  "piscina per-lane": "per-lane on a pool (ours)",
};

/** Throughput on large data by threads. Rows of a few bytes show what a call costs that only forks and joins. */
export function byThreads(measured: Measured): Point[] {
  return measured.cpu("workers", "papers-cpu").flatMap((row) => {
    const { n, backend, algorithm, distribution, residence, threads, gbps, weighted } = row;
    const series = OURS[`${backend} ${algorithm}`];
    const is = n > FEW_BYTES && distribution === "uniform" && residence === "resident" && !weighted;
    return is && series !== undefined && threads !== undefined ? [{ series, x: threads, y: gbps }] : [];
  });
}

/** The paper gives the speed of the most threads, and their factor over one. */
export function withOneThread(): PaperNumber[] {
  const numbers = numbersOf("cuda-handbook", "cpu-scaling", "throughput");
  const factor = claimOf("cuda-handbook", "cpu-scaling", "over one thread");
  const most = numbers[0]!;
  return [{ ...most, x: 1, y: most.y / factor, where: `${digits(most.y)} / ${factor}` }, ...numbers];
}
