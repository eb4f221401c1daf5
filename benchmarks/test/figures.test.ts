import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { resultsOf } from "../src/runner/report.ts";
import type { Row } from "../src/runner/row.ts";
import { DOCUMENTS } from "../src/tables/documents.ts";
import { FIGURES, linesOf, withFigures } from "../src/tables/figures.ts";
import { wantedOf, wantedText } from "../src/tables/wanted.ts";
import { wantedOfHost } from "../src/tables/wanted-host.ts";
import { rowOfPeer, rowWith, scratch } from "./shared.ts";

const row = (more: Partial<Row>): Row =>
  rowWith({ backend: "cuda", algorithm: "per-lane", n: 2 ** 30, ms: [0.5], ...more });
const cub = rowOfPeer("cub");
const calledCub = { ...cub, call: "count", variant: "until the device is done" } as const;

/** A folder of results with one file of the GPU's. */
function folderWith(name: string, rows: readonly Row[]): string {
  const folder = scratch(onTestFinished);
  mkdirSync(join(folder, "nvidia-h200"));
  const gpu = { gpu: "NVIDIA H200", driver: "1" };
  const results = resultsOf({ rows, missing: [], commit: "unknown", gpu });
  writeFileSync(join(folder, "nvidia-h200", name), JSON.stringify(results));
  return folder;
}

it.each(DOCUMENTS)("the figures of $path are those of the result files: pnpm run figures", ({ path, up }) => {
  const text = readFileSync(path, "utf8");
  expect(text).toContain("<!-- figure: ");
  expect(withFigures(text, up)).toBe(text);
});

it("calls stand beside calls: those measured one by one first, with the 99th percentile", () => {
  const rows = [
    row({ callMs: [0.9], ms: [0.2], ceilingPercent: 98 }),
    row({ call: "count", ms: [0.25], p99: 0.3 }),
    row({ call: "countSync", ms: [0.2], p99: 0.28 }),
    row({ ...cub, ms: [0.1] }),
    row({ ...calledCub, ms: [0.5], p99: 0.6 }),
  ];
  const folder = folderWith("cuda-calls.json", rows);
  const lines = linesOf("CUDA: calls by size", "", folder);
  expect(lines.slice(0, 6)).toEqual([
    "| µs | 2^30 |",
    "|---|---|",
    "| `@polybin/cuda`, countSync | 200 (280) |",
    "| `@polybin/cuda`, count | 250 (300) |",
    "| CUB, counts stay on the device | 500 (600) |",
    "| Time of CUB, counts stay on the device, divided by `@polybin/cuda`, count | 2.00 |",
  ]);
  expect(lines.at(-1)).toMatch(/^Source: \[nvidia-h200\/cuda-calls.json\].*, NVIDIA H200, \d{4}-/);
  expect(linesOf("CUDA: kernels by distribution", "", folder).slice(2, 5)).toEqual([
    "| `@polybin/cuda`, per-lane | 5,369 |",
    "| CUB | 10,737 |",
    "| Time of CUB, divided by `@polybin/cuda`, per-lane | 0.50 |",
  ]);
});

it("the kernels' share of the ceiling is no call's", () => {
  const folder = folderWith("cuda-axes.json", [
    row({ callMs: [0.9], ms: [0.2], ceilingPercent: 98 }),
    row({ ...cub, callMs: [0.5], ms: [0.5] }),
  ]);
  const lines = linesOf("CUDA: calls by size", "", folder).join("\n");
  expect(lines).toContain(
    "| `@polybin/cuda`, count | 900 |\n| CUB | 500 |\n| Time of CUB, divided by `@polybin/cuda`, count | 0.56 |\n\n",
  );
});

it("a loss is shown as one, and what was not measured is said to be so", () => {
  const rows = [row({ call: "countSync", ms: [0.2], p99: 1 }), row({ ...calledCub, ms: [0.1], p99: 1 })];
  const folder = folderWith("cuda-calls.json", rows);
  expect(linesOf("CUDA: calls against CUB's", "", folder)).toContain("| uniform | *0.50* |");
  expect(linesOf("CUDA: many calls", "", folder)).toEqual([
    "Not measured yet: `nvidia-h200/cuda-calls.json` will hold it.",
  ]);
  expect(() => linesOf("nope", "", folder)).toThrow("expected the name of a figure but received nope");
  expect(Object.values(FIGURES).every(({ files }) => files.length > 0)).toBe(true);
});

it("segments stand by their length, the kernel beside the calls, with shares of what is possible", () => {
  const segments = { count: 2 ** 18, each: 4096 };
  const each = { algorithm: "per-segment", segments } as const;
  const rows = [
    row({ ...each, ms: [0.3], ceilingPercent: 61.2 }),
    row({ ...each, call: "segments", ms: [6], p99: 7, ceilingPercent: 92 }),
    row({ ...cub, call: "segments", segments, ms: [1600], p99: 1700 }),
  ];
  expect(linesOf("CUDA: segments", "", folderWith("cuda-segments.json", rows)).slice(0, 3)).toEqual([
    "| ms (share of the ceiling) | kernel alone | `@polybin/cuda`, segments | CUB |",
    "|---|---|---|---|",
    "| 262,144 x 4,096, uniform | 0.3 (61%) | 6 (92%) | 1,600 |",
  ]);
});

it("what calls should come to is compared with the worst of them, and what was not measured is not reached", () => {
  const n = 2 ** 22;
  const rows = [
    row({ n, ms: [0.01] }),
    row({ n, call: "count", ms: [0.03], p99: 0.05 }),
    row({ n, call: "countSync", ms: [0.02], p99: 0.03 }),
    row({ n: 64, call: "count", ms: [0.027], p99: 0.09 }),
    row({ n: 64, call: "countAll", inFlight: 256, ms: [0.006], p99: 0.007 }),
    row({ ...calledCub, n, ms: [0.025], p99: 0.03 }),
  ];
  const found = new Map(wantedOf(rows, "cuda").map((one) => [one.what, one]));
  const of = (what: string) => found.get(`${what}: at most`);
  expect(of("count up to 2^20, µs")).toMatchObject({ found: 27, reached: false });
  expect(of("count from 2^20 on, µs over the kernel")).toMatchObject({ found: 20, reached: true });
  expect(of("count up to 2^24, 99th percentile, µs")).toMatchObject({ found: 90, reached: false });
  expect(of("countAll of 256 up to 2^20, µs each")).toMatchObject({ found: 6, reached: true });
  expect(of("countSync over CUB's call from 2^22 on")!.found).toBeCloseTo(0.8);
  expect(of("128 in flight up to 2^20, µs each")).toMatchObject({ found: null, reached: false });
  expect(wantedText([of("count up to 2^20, µs")!])).toEqual([
    "MISSED   count up to 2^20, µs: at most 26; the worst: 27",
  ]);
});

it("calls on the CPU are compared with the faster of the loops, by memory", () => {
  const ours = { backend: "piscina", threads: 1, n: 2 ** 24, residence: "upload", call: "count" } as const;
  const loop = { ...rowOfPeer("js-loop"), n: 2 ** 24, call: "count", threads: 1 } as const;
  const rows = [
    row({ ...ours, ms: [10] }),
    row({ ...ours, threads: 2, ms: [5] }),
    row({ ...loop, ms: [12] }),
    row({ ...loop, variant: "has seen four types", ms: [30] }),
    row({ ...loop, variant: "checks the range", ms: [9] }),
    row({ ...ours, n: 64, ms: [0.005] }),
    row({ ...loop, n: 64, ms: [0.002] }),
  ];
  const found = wantedOfHost(rows).filter(({ found: worst }) => worst !== null);
  expect(
    found.map(({ what, found: worst }) => [what.replace(/: at.*/, ""), Number(worst!.toFixed(3))]),
  ).toEqual([
    ["ordinary memory: count up to 16 KiB, µs over the loop", 3],
    ["ordinary memory: u8, u16, u32 from 64 KiB, times the loop", 1.2],
    ["ordinary memory: 2 workers over one from 16 MiB, times", 2],
  ]);
});

it("every GPU with a headline has a line, with its calls where they were measured", () => {
  const folder = folderWith("cuda-headline.json", [
    row({ gbps: 4400, ceilingPercent: 99 }),
    row({ gbps: 4500, distribution: "zeros", ceilingPercent: 99.9 }),
  ]);
  const other = folderWith("cuda-headline.json", [row({ gbps: 3000, ceilingPercent: 100.7 })]);
  renameSync(join(other, "nvidia-h200"), join(folder, "nvidia-h100"));
  const calls = folderWith("cuda-calls.json", [row({ n: 2 ** 20, call: "count", ms: [0.025], p99: 0.04 })]);
  renameSync(join(calls, "nvidia-h200", "cuda-calls.json"), join(folder, "nvidia-h100", "cuda-calls.json"));
  const lines = linesOf("CUDA: every GPU", "../", folder);
  expect(lines).toHaveLength(4);
  expect(lines.slice(2).sort()).toEqual([
    expect.stringMatching(
      /\| 3,000 to 3,000 \| unknown: the measured ceiling is invalid \| 25 \(40\) \| not measured \| \[nvidia-h100\/cuda-headline.json\]/,
    ),
    expect.stringMatching(/\| 4,400 to 4,500 \| 99.0% \| not measured \| not measured \| \[nvidia-h200\//),
  ]);
});

it("the README's table compares like with like, and calls a loss slower", () => {
  const call = { call: "count", p99: 1 } as const;
  const folder = folderWith("cuda-calls.json", [
    row({ ms: [0.25] }),
    row({ ...cub, ms: [0.5] }),
    row({ ...call, ms: [0.27] }),
    row({ ...calledCub, p99: 1, ms: [0.54] }),
    row({ ...call, n: 2 ** 20, ms: [0.03] }),
    row({ ...calledCub, p99: 1, n: 2 ** 20, ms: [0.02] }),
    row({ ...calledCub, p99: 1, n: 2 ** 10, ms: [0.02] }),
  ]);
  const lines = linesOf("Speed: every comparison", "", folder);
  expect(lines.slice(2, -2).map((line) => line.split(" | ").slice(1).join(" | "))).toEqual([
    "kernel alone, 1 GiB of bytes | `@polybin/cuda`, per-lane: 4,295 GB/s | CUB: 2,147 GB/s | 2 times as fast |",
    "1 GiB of bytes | `@polybin/cuda`, count: 270 µs | CUB, counts stay on the device: 540 µs | 2 times as fast |",
    "1 MiB of bytes | `@polybin/cuda`, count: 30 µs | CUB, counts stay on the device: 20 µs | **slower**: takes 1.5 times as long |",
  ]);
  expect(lines.at(-1)).toMatch(/^Medians from \[nvidia-h200\/cuda-calls.json\]\(benchmarks.*\)\.$/);
  expect(linesOf("Speed at a glance", "", folder).slice(2, -2)).toEqual([lines[3]]);
});

it("tables in files: a line for each program, and a source for each machine", () => {
  const folder = scratch(onTestFinished);
  expect(linesOf("Tables: files", "", folder)).toEqual(["Not measured yet: `tables.json` will hold it."]);
  mkdirSync(join(folder, "host"));
  const run = { what: "CSV", bytes: 1e9, program: "polybin", runs: 5, ms: 1234, cpuMs: 2345, megabytes: 99 };
  const tables = [run, { ...run, program: "DuckDB", ms: 999 }];
  const results = resultsOf({ rows: [], missing: [], notes: { tables }, commit: "unknown" });
  writeFileSync(join(folder, "host", "tables.json"), JSON.stringify(results));
  const lines = linesOf("Tables: files", "", folder);
  expect(lines.slice(2, 4)).toEqual([
    "| CSV | 1,000 MB | polybin | 5 | 1.23 | 2.35 | 99 |",
    "| |  | DuckDB | 5 | 0.999 | 2.35 | 99 |",
  ]);
  expect(lines.at(-1)).toMatch(/^Source: \[host\/tables\.json\]/);
});
