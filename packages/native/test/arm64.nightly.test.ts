import { expect, it } from "vitest";
import { contractOnArm64, missing } from "./emulated/arm64.ts";

it("all of the contract on arm64, with NEON, under an emulator", { timeout: 3_600_000 }, async (test) => {
  const without = missing();
  if (without !== null) return test.skip(without);
  const { processor, passed, failed } = await contractOnArm64([]);
  expect(failed).toEqual([]);
  expect(processor).toBe("arm64");
  expect(passed).toBeGreaterThan(1200);
});
