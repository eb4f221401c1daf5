import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Report } from "../src/runner/report.ts";
import { Profiler } from "../src/suites/ncu.ts";
import { countersOf } from "../src/suites/weighted-counters.ts";

const TIME = "gpu__time_duration.sum";
const { PATH } = process.env;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "polybin-ncu-"));
  process.env.PATH = `${folder}${delimiter}${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});

/** Puts a program in the place of ncu. It lists two metrics, and refuses to start with the second. */
function fake(body: string): void {
  const file = join(folder, "ncu");
  writeFileSync(
    file,
    `#!/bin/sh\nif [ "$1" = --query-metrics ]; then echo gpu__time_duration; echo sm__old_metric; exit 0; fi\n${body}\n`,
  );
  chmodSync(file, 0o755);
}

const open = (report: Report) =>
  Profiler.open(report, "Table", [TIME, "sm__old_metric.sum", "sm__unknown.sum", "launch__block_size"]);
const reportHere = () => new Report(join(folder, "report.json"), null, { commit: "c", quiet: true });

it("drops metrics that ncu does not list, and those that it refuses, and says so", async () => {
  fake(`case "$*" in *sm__old_metric*) echo "==ERROR== Failed to find metric sm__old_metric.sum"; exit 1;; esac
echo '"ID","Kernel Name","${TIME}","launch__block_size"'
echo '"","","ns",""'
echo '"0","merge(x)","100","64"'
echo '"1","count(x)","900","64"'
echo "$*" >&2`);
  const report = reportHere();
  const profiler = (await open(report))!;
  const launches = (await profiler.launches("a cell", ["program", "argument"], "count|merge"))!;
  expect(launches.map(({ kernel, metrics }) => [kernel, metrics[TIME]])).toEqual([
    ["merge(x)", 100],
    ["count(x)", 900],
  ]);
  expect(report.missing).toEqual([
    "Table, sm__unknown.sum: this ncu has no such metric for this device",
    "Table, sm__old_metric.sum: this ncu has no such metric for this device",
  ]);
  const probed = {
    figure: "Table 5",
    bins: 16,
    sigma: null,
    cell: { algorithm: "weighted-collision" },
  } as const;
  const { kernel, values, othersTime, bytes } = countersOf(probed, launches);
  expect({ kernel, othersTime, bytes }).toEqual({ kernel: "count(x)", othersTime: 100, bytes: 2 ** 26 });
  expect([values.time, values.blockThreads, values.registers]).toEqual([900, 64, null]);
});

it("reports a cell that ncu could not measure, and a machine without ncu", async () => {
  fake(`echo "==ERROR== ERR_NVGPUCTRPERM"; exit 1`);
  const report = reportHere();
  const profiler = (await open(report))!;
  expect(await profiler.launches("a cell", ["program"])).toBeNull();
  expect(report.missing.at(-1)).toBe("Table, a cell: ==ERROR== ERR_NVGPUCTRPERM");
  process.env.PATH = join(folder, "nowhere");
  expect(await open(report)).toBeNull();
  expect(report.missing.at(-1)).toContain("ENOENT");
});
