import { expect, it } from "vitest";
import { algorithm } from "../src/algorithms/run-length.ts";
import { cpu } from "../src/cpu/cpu.ts";
import { openEngine } from "../src/engine/open.ts";

const launch = {
  threads: 2,
  blocks: 1,
  replicas: 1,
  counterBits: 32,
  cellsPerPass: 3,
  sharedBytes: 0,
  wordsPerThread: null,
} as const;

it("ends a run where the code changes, where it is as long as it may be, and with the samples", () => {
  // Thread 0 has the first and the third word of four, thread 1 the second.
  const codes = Uint32Array.of(0, 0, 1, 1, 2, 2, 2, 2, 1, 1, 1);
  for (const longest of [1, 2, 3, 1024]) {
    expect([...algorithm.reference(codes, { ...launch, parameters: { longest } }, 3)]).toEqual([2, 5, 4]);
  }
});

it("passes over codes that are no cells", () => {
  const parameters = { longest: 2 };
  const codes = Uint32Array.of(3, 1, 7, 1, 1);
  expect([...algorithm.reference(codes, { ...launch, parameters }, 3)]).toEqual([0, 3, 0]);
});

it("takes its parameter, and no other number than its rule says", async () => {
  await using engine = await openEngine({ backend: cpu() });
  const samples = Uint8Array.from({ length: 4097 }, (_, i) => i >> 5);
  const want = await engine.histogram(samples, { algorithm: "sequential" });
  const got = await engine.histogram(samples, { algorithm: "run-length", longest: 5 });
  expect(got.counts).toEqual(want.counts);
  expect(got.plan?.parameters).toEqual({ longest: 5 });
  await expect(engine.histogram(samples, { algorithm: "run-length", longest: 0 })).rejects.toThrow(
    "a whole number from 1 to 65535 for longest but received 0",
  );
});
