import { expect, it } from "vitest";
import { runOnHost, SWITCHING } from "./emulated/run-on-host.ts";

// The kernel of `fused`, compiled for the host. The test checks its counts without a GPU, over data whose samples often or
// always meet, while other threads run between an atomic and what follows it.

it("columns over packed and plain counters give the counts of a loop", { timeout: 240_000 }, (context) => {
  expect(runOnHost(context, "columns", ["src/kernels/fused/kernel.cu"], SWITCHING)).toBe("");
});
