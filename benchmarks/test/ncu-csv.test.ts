import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseNcu } from "../src/suites/ncu-csv.ts";
import { termsOf } from "../src/suites/table1-terms.ts";

const sample = readFileSync(new URL("./ncu-sample.csv", import.meta.url), "utf8");

it("reads the launches between ncu's own lines", () => {
  const launches = parseNcu(sample);
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
});

it("leaves out what could not be measured", () => {
  const [, second] = parseNcu(sample);
  expect(second!.metrics).toEqual({ "gpu__time_duration.sum": 3200 });
  const terms = termsOf(second!, 2 ** 26);
  expect(terms.IPC).toEqual({ value: null, metric: "sm__inst_executed.avg.per_cycle_active" });
});

it("works the paper's terms out", () => {
  const terms = termsOf(parseNcu(sample)[0]!, 2 ** 26);
  expect(terms["Throughput GB/s"]!.value).toBeCloseTo(2461.4, 1);
  expect(terms["Ins/Byte"]!.value).toBe(10);
  expect(terms["Cycles II/IPC"]!.value).toBe(23_068_672 / 2.5);
  expect(terms["Instruction Replays %"]!.value).toBeCloseTo(10);
});

it("finds nothing where ncu failed", () => {
  expect(parseNcu("==ERROR== ERR_NVGPUCTRPERM\n")).toEqual([]);
});
