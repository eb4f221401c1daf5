import { expect, it } from "vitest";
import { type CubLine, CubLines, ratios } from "../src/peers/cub-lines.ts";

const line = (peer: string, ms: readonly number[], more: object = {}) =>
  ({
    peer,
    variant: "",
    type: "u8",
    bins: 256,
    n: 1024,
    bytes: 1024,
    distribution: "uniform",
    ms,
    exact: true,
    ...more,
  }) as CubLine;

it("makes rows of lines, with the share of the ceiling that came before", () => {
  const lines = new CubLines();
  const rows = [
    line("read", [1, 2, 3], { variant: "ldg x4, 8 blocks" }),
    line("cub", [8], { exact: false }),
    line("per-lane", [4, 4], { variant: "1024 threads" }),
    line("per-lane", [4], { n: 2048, bytes: 2048 }),
  ].map((one) => lines.row(one));
  expect(rows).toMatchObject([
    { peer: "read", backend: null, variant: "ldg x4, 8 blocks", ceilingPercent: 100 },
    { peer: "cub", backend: null, algorithm: null, exact: false, ceilingPercent: 25 },
    { peer: null, backend: "cuda", algorithm: "per-lane", exact: true, ceilingPercent: 50, ms: [4, 4] },
    { n: 2048, ceilingPercent: null },
  ]);
  expect(rows[1]!.variant).toBeUndefined();
  // Only what both were measured on is compared.
  expect(ratios(rows).slice(1)).toEqual(["2^10 | u8/256 uniform | 0.0 | 0.0! | 2.00 | 50.0%"]);
});
