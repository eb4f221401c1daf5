import { expect, it } from "vitest";
import { degraded } from "../src/suites/degraded.ts";

it("takes the cost of row sums off again", () => {
  // 2 ms of binning for k = 31 and 32, 5 ms for k = 1, and 62 ms of row sums shared out over the words between two.
  const { withoutAccumulation, ilpGain, measured } = degraded(1e7, 5 + 62 / 63, 2 + 62 / 62, 2 + 62 / 32);
  expect(measured.k31).toBeCloseTo(1e7 / 3 / 1e6);
  expect(withoutAccumulation.k31).toBeCloseTo(5);
  expect(withoutAccumulation.k1).toBeCloseTo(2);
  expect(ilpGain).toBeCloseTo(2.5);
});
