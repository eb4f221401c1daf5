import { expect, test } from "vitest";
import { crossover, sides } from "../src/data/crossover.ts";
import { row } from "./rows.ts";

const cpu = (n: number, gbps: number) => row({ backend: "piscina", n, gbps });
const gpu = (n: number, gbps: number) => row({ backend: "cuda", n, gbps });

test("the crossover lies where lines on logarithmic axes meet", () => {
  const found = crossover([cpu(2 ** 10, 2), cpu(2 ** 20, 2)], [gpu(2 ** 10, 1), gpu(2 ** 20, 4)]);
  expect(found.at).toBeCloseTo(2 ** 15);
  expect(found.headline).toContain("33,000 samples");
});

test("the fastest of each kind count, and sizes of one kind are put between neighbours of the other", () => {
  const found = crossover(
    [cpu(2 ** 10, 0.5), cpu(2 ** 10, 2), cpu(2 ** 20, 2)],
    [gpu(2 ** 10, 1), gpu(2 ** 15, 1), gpu(2 ** 20, 4)],
  );
  expect(found.at).toBeCloseTo(2 ** 17.5);
});

test("the crossover says who was compared, at the largest size that both were measured at", () => {
  const gpus = [10, 15, 20].map((power) => gpu(2 ** power, 2 ** power));
  const { headline, detail } = crossover(
    [10, 15].map((power) => cpu(2 ** power, 2 ** 12)),
    gpus,
  );
  expect(headline).toBe("The GPU overtakes the CPU at about 4,100 samples.");
  expect(detail).toBe(
    "There CUDA, per lane overtakes Worker threads, per lane. The GPU reaches 8 times the CPU's throughput at 2¹⁵ samples (CUDA, per lane against Worker threads, per lane).",
  );
});

test("where there is no crossover it says why", () => {
  expect(crossover([], [gpu(1, 1)]).detail).toContain("CPU was not measured");
  expect(crossover([cpu(8, 1)], [gpu(1, 1), gpu(2, 1)]).headline).toContain("No size was measured on both");
  expect(crossover([cpu(8, 1)], [gpu(8, 2)]).headline).toContain("GPU is faster at every size");
  expect(crossover([cpu(8, 2)], [gpu(8, 1)]).headline).toContain("CPU is faster at every size");
});

test("a software adapter counts as a CPU, and a peer as nobody", () => {
  const rows = [
    row({ backend: "cpu", gbps: 1 }),
    row({ backend: "cuda", gbps: 100 }),
    row({ peer: "cub", gbps: 80 }),
    row({ backend: "webgpu", gbps: 0.1, device: "SwiftShader" }),
  ];
  const { cpu: onCpus, gpu: onGpus } = sides(rows);
  expect(onCpus.map(({ gbps }) => gbps)).toEqual([1, 0.1]);
  expect(onGpus.map(({ gbps }) => gbps)).toEqual([100]);
});

test("a crossover counts the sizes that were measured on both, and no interpolated ones", () => {
  const found = crossover(
    [cpu(2 ** 10, 2), cpu(2 ** 20, 2)],
    [gpu(2 ** 10, 1), gpu(2 ** 15, 1), gpu(2 ** 20, 4)],
  );
  expect(found.sizes).toBe(2);
  expect(crossover([cpu(8, 1)], [gpu(1, 1), gpu(2, 1)]).sizes).toBe(0);
});
