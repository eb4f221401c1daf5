import { expect, test } from "vitest";
import { crossover, sides } from "../src/data/crossover.ts";
import { row } from "./rows.ts";

const cpu = (n: number, gbps: number) => row({ backend: "piscina", n, gbps });
const gpu = (n: number, gbps: number) => row({ backend: "cuda", n, gbps });

test("the crossover lies where lines on logarithmic axes meet", () => {
  const found = crossover([cpu(2 ** 10, 2), cpu(2 ** 20, 2)], [gpu(2 ** 10, 1), gpu(2 ** 20, 4)]);
  expect(found.at).toBeCloseTo(2 ** 15);
  expect(found.headline).toContain("32,768 samples");
});

test("the fastest of each kind count, and sizes of one kind are put between neighbours of the other", () => {
  const found = crossover(
    [cpu(2 ** 10, 0.5), cpu(2 ** 10, 2), cpu(2 ** 20, 2)],
    [gpu(2 ** 10, 1), gpu(2 ** 15, 1), gpu(2 ** 20, 4)],
  );
  expect(found.at).toBeCloseTo(2 ** 17.5);
});

test("one machine's CPU is compared with one machine's GPU, of the same machine where that has both", () => {
  const on = (folder: string, of: ReturnType<typeof row>) => ({ ...of, file: { ...of.file, folder } });
  const gpus = [10, 15, 20].map((power) => on("big", gpu(2 ** power, 2 ** power)));
  const own = [10, 15].map((power) => on("big", cpu(2 ** power, 2 ** 12)));
  const others = [10, 15, 20].map((power) => on("small", cpu(2 ** power, 1)));
  const { headline, detail } = crossover([...others, ...own], gpus);
  expect(headline).toBe("The GPU overtakes the CPU at about 4,096 samples.");
  expect(detail).toBe(
    "It has 8 times the CPU's throughput at 2¹⁵ (cuda per-lane on big against piscina per-lane on big).",
  );
  expect(crossover(others, gpus).detail).toContain(
    "at 2²⁰ (cuda per-lane on big against piscina per-lane on small)",
  );
  // Its own CPU was not measured at any size of the GPU's.
  const elsewhere = [on("big", cpu(2 ** 12, 1)), ...others];
  expect(crossover(elsewhere, gpus).detail).toContain("piscina per-lane on small");
});

test("where there is no crossover it says why", () => {
  expect(crossover([], [gpu(1, 1)]).detail).toContain("No CPU row");
  expect(crossover([cpu(8, 1)], [gpu(1, 1), gpu(2, 1)]).headline).toContain("No size was measured on both");
  expect(crossover([cpu(8, 1)], [gpu(8, 2)]).headline).toContain("GPU is faster at every size");
  expect(crossover([cpu(8, 2)], [gpu(8, 1)]).headline).toContain("CPU is faster at every size");
});

test("a GPU's whole calls are compared where its rows tell them, else its kernels", () => {
  const rows = [
    row({ backend: "cpu", gbps: 1 }),
    row({ backend: "cuda", gbps: 100, callGbps: 5 }),
    row({ backend: "webgpu", gbps: 90 }),
    row({ peer: "cub", gbps: 80 }),
    row({ backend: "webgpu", gbps: 0.1, callGbps: 0.1, device: "SwiftShader" }),
  ];
  const { cpu: onCpus, gpu: onGpus, kernels } = sides(rows);
  expect(onCpus.map(({ gbps }) => gbps)).toEqual([1, 0.1]);
  expect(onGpus.map(({ gbps }) => gbps)).toEqual([5]);
  expect(kernels).toBe(false);
  expect(sides(rows.slice(2, 3))).toMatchObject({ gpu: [{ gbps: 90 }], kernels: true });
});
