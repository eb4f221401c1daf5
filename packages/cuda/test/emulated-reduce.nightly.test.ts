import { expect, it } from "vitest";
import { countKernels } from "../src/kernels/index.ts";
import { runOnHost, SWITCHING } from "./emulated/run-on-host.ts";

// The real kernels whose blocks add up by partial tables, compiled for the host together with the merge kernel. The
// test checks their counts, their memory accesses and their global atomics without a GPU.

const MERGED = countKernels.filter((kernel) => kernel.reads === "codes" && kernel.partials);
const KERNELS = [
  "native/kernels/merge.cu",
  ...MERGED.map(({ algorithm: { slug } }) => `src/kernels/${slug}/kernel.cu`),
];

it("partial tables and global atomics give the counts of a loop, without a look at the data", {
  timeout: 240_000,
}, (context) => {
  expect(runOnHost(context, "reduce", KERNELS, SWITCHING)).toBe("");
});
