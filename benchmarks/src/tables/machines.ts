import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results, Row } from "../runner/row.ts";
import { median } from "../runner/statistics.ts";
import { figure, markdown } from "./markdown.ts";

const GIB = 2 ** 30;

/** Every GPU that the headline was measured on: the kernel over nine distributions, and calls where there are such. */
export function machineTable(results: string, up: string): string[] {
  const folders = readdirSync(results, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const lines = folders.flatMap(({ name }) => {
    const [headline, calls] = ["cuda-headline", "cuda-calls"].map((file) =>
      read(join(results, name, `${file}.json`)),
    );
    if (headline == null) return [];
    const kernels = headline.rows.filter(({ algorithm, n }) => algorithm === "per-lane" && n === GIB);
    const [speeds, shares] = [
      kernels.map(({ gbps }) => gbps),
      kernels.map(({ ceilingPercent }) => ceilingPercent ?? 0),
    ];
    return [
      [
        headline.machine.gpu ?? name,
        `${figure(Math.min(...speeds))} to ${figure(Math.max(...speeds))}`,
        `${Math.min(...shares).toFixed(1)}%`,
        callOf(calls, "count"),
        callOf(calls, "countSync"),
        `[${name}/cuda-headline.json](${up}benchmarks/results/${name}/cuda-headline.json)`,
      ],
    ];
  });
  const heads = [
    "GPU",
    "GB/s, worst to best",
    "worst, of the ceiling",
    "count of 2^20, µs",
    "countSync, µs",
    "file",
  ];
  return lines.length === 0 ? [] : markdown([heads, ...lines]);
}

/** Of resident uniform bytes; median (99th percentile). */
function callOf(calls: Results | null | undefined, call: Row["call"]): string {
  const row = calls?.rows.find(
    (one) =>
      one.backend === "cuda" &&
      one.call === call &&
      one.inFlight === undefined &&
      one.n === 2 ** 20 &&
      one.residence === "resident" &&
      one.distribution === "uniform",
  );
  return row === undefined ? "not measured" : `${figure(median(row.ms) * 1000)} (${figure(row.p99! * 1000)})`;
}

function read(path: string): Results | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Results) : null;
}
