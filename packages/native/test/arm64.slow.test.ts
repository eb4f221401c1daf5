import { expect, it } from "vitest";
import { contractOnArm64, missing } from "./emulated/arm64.ts";

/** Topics that take an emulator minutes each. The nightly test has all. */
const LONG = ["abort", "combinations", "large requests", "lifecycle", "parameters", "sequences", "streams"];

it("a part of the contract on arm64, with NEON, under an emulator", { timeout: 900_000 }, async (test) => {
  const without = missing();
  if (without !== null) return test.skip(without);
  const { processor, passed, failed } = await contractOnArm64(LONG);
  expect(failed).toEqual([]);
  expect(processor).toBe("arm64");
  expect(passed).toBeGreaterThan(200);
});
