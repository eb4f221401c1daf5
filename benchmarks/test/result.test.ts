import { expect, it } from "vitest";
import { labelOf } from "../src/runner/names.ts";
import type { Row } from "../src/runner/row.ts";
import { spreadsOf } from "../src/runner/spreads.ts";
import { percentOf } from "../src/runner/statistics.ts";
import { rowWith } from "./shared.ts";

const row = (distribution: string, gbps: number, more: Partial<Row> = {}): Row =>
  rowWith({ algorithm: "per-lane", distribution, gbps, ceilingPercent: gbps / 50, ...more });

it("compares the worst distribution with the best, contestant by contestant", () => {
  const spreads = spreadsOf([
    row("zeros", 4800),
    row("uniform", 4500),
    row("zeros", 2000, { variant: "k=1", ceilingPercent: null }),
    row("uniform", 1000, { variant: "k=1" }),
    row("uniform", 1, { n: 2048 }),
  ]);
  expect(spreads).toMatchObject([
    {
      algorithm: "per-lane",
      n: 1024,
      worst: { distribution: "uniform", gbps: 4500 },
      best: { distribution: "zeros", gbps: 4800 },
      worstOverBest: 0.9375,
      ceilingPercent: 90,
    },
    { variant: "k=1", worstOverBest: 0.5, ceilingPercent: null },
  ]);
});

it("has no percentage of a ceiling that was not measured", () => {
  expect(percentOf(97, 100)).toBe(97);
  expect(percentOf(97, null)).toBeNull();
});

it("names peers, variants, memory and devices", () => {
  expect(labelOf(row("zeros", 1))).toBe("per-lane");
  expect(labelOf(row("zeros", 1, { variant: "k=31", memory: "pinned", devices: 2 }))).toBe(
    "per-lane, k=31, pinned, 2 devices",
  );
  expect(labelOf(row("any", 1, { peer: "read", algorithm: null, variant: "ldg x1" }))).toBe("read");
});
