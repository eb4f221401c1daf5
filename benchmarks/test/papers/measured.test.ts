import { expect, it } from "vitest";
import { Measured } from "../../papers/measured.ts";
import type { Results, Row } from "../../src/runner/row.ts";

const row = (distribution: string, of: Partial<Row>): Row => ({
  ...{ backend: "webgpu", algorithm: "trish", peer: null, type: "u8", bins: 256, n: 2 ** 26, distribution },
  ...{ residence: "resident", ms: [1, 1, 1], gbps: 1, ceilingPercent: null, exact: true, ...of },
});

const results = (rows: Row[]): Results => ({
  ...{ schema: 1, commit: "here", date: "2026-01-01T00:00:00.000Z", spreads: [], missing: [] },
  machine: { cpu: "CPU", cores: 2, gpu: "GPU", driver: "1", node: "v26", os: "Linux" },
  rows,
});

const clocks = (sm: number) => ({ clocks: { sm, memory: 3201 } });

it("leaves out rows of a GPU that had not woken up", () => {
  const rows = [
    row("awake", clocks(1980)),
    row("warm", clocks(1755)),
    row("asleep", clocks(1185)),
    row("on the CPU", { ...clocks(345), threads: 1 }),
    row("without clocks", {}),
  ];
  const measured = new Measured([{ name: "webgpu-figure6", results: results(rows) }], "webgpu");
  expect(measured.rows("figure6").map(({ distribution }) => distribution)).toEqual([
    "awake",
    "warm",
    "on the CPU",
    "without clocks",
  ]);
});
