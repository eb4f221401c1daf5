import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results, Row } from "../runner/row.ts";
import { median } from "../runner/statistics.ts";
import { figure, markdown } from "./markdown.ts";

const GIB = 2 ** 30;

/** Lists every GPU of the headline: the kernel on nine distributions, and calls if they were measured. */
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
        shareText(Math.min(...shares)),
        callOf(calls, "count"),
        callOf(calls, "countSync"),
        `[${name}/cuda-headline.json](${up}benchmarks/results/${name}/cuda-headline.json)`,
      ],
    ];
  });
  const heads = [
    "GPU",
    "GB/s, worst to best distribution",
    "worst share of the ceiling",
    "count, 2^20 bytes, µs",
    "countSync, 2^20 bytes, µs",
    "file",
  ];
  return lines.length === 0 ? [] : markdown([heads, ...lines]);
}

/** Writes a share of the ceiling. Nothing is faster than a true ceiling, so a share above 100% is none. */
function shareText(percent: number): string {
  return percent > 100 ? "unknown: the measured ceiling is invalid" : `${percent.toFixed(1)}%`;
}

/** Writes the median (99th percentile) for resident uniform bytes. */
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
