import { expect, it } from "vitest";
import { rowOf } from "../src/data/feature-rows.ts";
import { ShiftedTable } from "../src/data/feature-table.ts";
import { overTorch, torchRow } from "../src/peers/torch-lines.ts";
import type { Row } from "../src/runner/row.ts";

const of = new ShiftedTable(rowOf("ramp", 256, 1000), "u8", 4);
const line = (variant: string, distribution: string, ms: readonly number[]) =>
  torchRow({ variant, distribution, ms, offBy: 1e-7 }, of, 1);

it("makes rows of lines: sums alone, of floats, as a share of the ceiling", () => {
  expect(line("a call a feature", "ramp", [1, 2, 8])).toMatchObject({
    backend: null,
    peer: "torch.bincount(weights)",
    n: 4000,
    bins: 256,
    gbps: 0.002,
    valuesPerSecond: 2e6,
    ceilingPercent: 0.2,
    exact: false,
    offBy: 1e-7,
    weighted: { features: 4, documents: 1000, adds: "sums", precision: "fast" },
  });
});

it("compares with the fastest way, and only what both were measured on", () => {
  const ours = (adds: "sums" | "counts and sums", gbps: number): Row => ({
    ...line("", "ramp", [1]),
    peer: null,
    algorithm: "weighted-fixed-point",
    gbps,
    weighted: { features: 4, documents: 1000, adds, precision: "reproducible", skip: false, plans: [] },
  });
  const rows = [
    ours("counts and sums", 0.05),
    ours("sums", 0.08),
    line("slow", "ramp", [2]),
    line("quick", "ramp", [1]),
    line("quick", "zeros", [1]),
  ];
  expect(overTorch(rows)).toEqual([
    { distribution: "ramp", over: "quick", "counts and sums": 12.5, sums: 20 },
    { distribution: "zeros", over: "quick", "counts and sums": null, sums: null },
  ]);
});
