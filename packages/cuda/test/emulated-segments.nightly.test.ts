import { expect, it } from "vitest";
import { runOnHost } from "./emulated/run-on-host.ts";

// The real kernels of segments, compiled for the host. The test checks their counts and their memory accesses without a
// GPU. An unaligned load, which a device would refuse, ends the program.

const SANITIZED = ["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

it("segments of every cut and layout are counted as a loop counts them", { timeout: 240_000 }, (context) => {
  expect(runOnHost(context, "segments", ["src/kernels/per-segment/kernel.cu"], SANITIZED)).toBe("");
});
