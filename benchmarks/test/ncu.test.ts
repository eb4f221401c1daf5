import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Report } from "../src/runner/report.ts";
import { Profiler, parseNcu } from "../src/suites/ncu.ts";
import { termsOf } from "../src/suites/table1-terms.ts";
import { countersOf } from "../src/suites/weighted-counters.ts";
import { reportIn, scratch } from "./shared.ts";

const TIME = "gpu__time_duration.sum";
const { PATH } = process.env;
const folder = scratch();
beforeEach(() => {
  process.env.PATH = `${folder}${delimiter}${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
});

/** Puts a program in the place of ncu. It lists two metrics, and refuses to start with the second. */
function fake(body: string): void {
  const query = `if [ "$1" = --query-metrics ]; then echo gpu__time_duration; echo sm__old_metric; exit 0; fi`;
  writeFileSync(join(folder, "ncu"), `#!/bin/sh\n${query}\n${body}\n`, { mode: 0o755 });
}

const open = (report: Report) =>
  Profiler.open(report, "Table", [TIME, "sm__old_metric.sum", "sm__unknown.sum", "launch__block_size"]);

it("drops metrics that ncu does not list, and those that it refuses, and says so", async () => {
  fake(`case "$*" in *sm__old_metric*) echo "==ERROR== Failed to find metric sm__old_metric.sum"; exit 1;; esac
echo '"ID","Kernel Name","${TIME}","launch__block_size"'
echo '"","","ns",""'
echo '"0","merge(x)","100","64"'
echo '"1","count(x)","900","64"'
echo "$*" >&2`);
  const report = reportIn(folder);
  const profiler = (await open(report))!;
  const launches = (await profiler.launches("a cell", ["program", "argument"], "count|merge"))!;
  expect(launches.map(({ kernel, metrics }) => [kernel, metrics[TIME]])).toEqual([
    ["merge(x)", 100],
    ["count(x)", 900],
  ]);
  expect(report.missing).toEqual(
    ["sm__unknown", "sm__old_metric"].map(
      (name) => `Table, ${name}.sum: this ncu has no such metric for this device`,
    ),
  );
  const cell = { algorithm: "weighted-collision" } as const;
  const counters = countersOf({ figure: "Table 5", bins: 16, sigma: null, cell }, launches);
  const { kernel, values, othersTime, bytes } = counters;
  expect({ kernel, othersTime, bytes }).toEqual({ kernel: "count(x)", othersTime: 100, bytes: 2 ** 26 });
  expect([values.time, values.blockThreads, values.registers]).toEqual([900, 64, null]);
});

it("reports a cell that ncu could not measure, and a machine without ncu", async () => {
  fake(`echo "==ERROR== ERR_NVGPUCTRPERM"; exit 1`);
  const report = reportIn(folder);
  const profiler = (await open(report))!;
  expect(await profiler.launches("a cell", ["program"])).toBeNull();
  expect(report.missing.at(-1)).toBe("Table, a cell: ==ERROR== ERR_NVGPUCTRPERM");
  process.env.PATH = join(folder, "nowhere");
  expect(await open(report)).toBeNull();
  expect(report.missing.at(-1)).toContain("ENOENT");
});

const launches = parseNcu(readFileSync(new URL("./ncu-sample.csv", import.meta.url), "utf8"));

it("reads the launches between ncu's own lines, without what could not be measured", () => {
  expect(launches.map(({ kernel }) => kernel)).toEqual([
    'void countBytes<(unsigned int)31>(const unsigned char *, "x")',
    "blockSum(Pass)",
  ]);
  expect(launches[0]!.metrics).toEqual({
    "gpu__time_duration.sum": 27_264,
    "sm__inst_executed.avg.per_cycle_active": 2.5,
    "smsp__inst_executed.sum": 20_971_520,
    "smsp__inst_issued.sum": 23_068_672,
  });
  expect(launches[1]!.metrics).toEqual({ "gpu__time_duration.sum": 3200 });
  const { IPC } = termsOf(launches[1]!, 2 ** 26);
  expect(IPC).toEqual({ value: null, metric: "sm__inst_executed.avg.per_cycle_active" });
  expect(parseNcu("==ERROR== ERR_NVGPUCTRPERM\n")).toEqual([]);
});

it("works the paper's terms out", () => {
  const terms = termsOf(launches[0]!, 2 ** 26);
  expect(terms["Throughput GB/s"]!.value).toBeCloseTo(2461.4, 1);
  expect(terms["Ins/Byte"]!.value).toBe(10);
  expect(terms["Cycles II/IPC"]!.value).toBe(23_068_672 / 2.5);
  expect(terms["Instruction Replays %"]!.value).toBeCloseTo(10);
});
