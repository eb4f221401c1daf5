import { expect, it } from "vitest";
import { contractOnArm64, missing } from "./emulated/arm64.ts";

/** Topics that take an emulator minutes each, or whose answers do not depend on instructions. The nightly test has all. */
const LEFT = [
  ...[
    "abort",
    "axes",
    "combinations",
    "files",
    "flow",
    "large requests",
    "lifecycle",
    "parameters",
    "properties",
    "sequences",
    "streams",
  ],
  ...["arguments", "calls", "claims", "defaults", "results", "views", "weighted"],
];

it("a part of the contract on arm64, with NEON, under an emulator", { timeout: 900_000 }, async (test) => {
  const without = missing();
  if (without !== null) return test.skip(without);
  const { processor, passed, failed } = await contractOnArm64(LEFT);
  expect(failed).toEqual([]);
  expect(processor).toBe("arm64");
  expect(passed).toBeGreaterThan(100);
});
