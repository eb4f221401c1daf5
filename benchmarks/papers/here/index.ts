import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cpu, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { Bench } from "../../src/runner/bench.ts";
import { Report } from "../../src/runner/report.ts";
import { TARGETS, type Target } from "../../src/runner/target.ts";
import { algorithms } from "../../src/suites/algorithms.ts";
import { figure6 } from "../../src/suites/figure6.ts";
import { CPU_SIZE, QUICK_CPU, scaling, table4 } from "../../src/suites/papers-cpu.ts";
import { type Plane, pictures } from "../../src/suites/pictures.ts";
import { trish, trishByK } from "../../src/suites/trish.ts";
import { weightedPaper, weightedParameters, weightedShapes } from "../../src/suites/weighted-paper.ts";

export interface HereOptions {
  readonly out: string;
  readonly quick: boolean;
  /** Pictures for Figure 7. */
  readonly pictures: readonly Plane[];
  /** The checkout's commit. */
  readonly commit: string;
  tell(line: string): void;
}

type Suite = (bench: Bench) => Promise<void>;

/** Workers take the place of a missing GPU. */
const WORKERS: Target = {
  ...TARGETS.webgpu!,
  sleeps: false,
  software: true,
  backend: () => piscina(),
  timed: () => piscina(),
  readRows: async () => {
    throw new Error("expected a GPU, since workers have no kernels that only read");
  },
};

const SOME_KS = [1, 2, 4, 8, 15, 16, 21, 22, 31, 32, 42, 63];
/** Exponents of n on workers, and in a quick run. */
const WORKERS_LOG2N = [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26];
const QUICK_LOG2N = [16, 21, 26];
/** A table that workers add in milliseconds. */
const WORKERS_TABLE = [16, 2 ** 14] as const;

const ON_GPU: Readonly<Record<string, Suite>> = {
  trish,
  figure6: (bench) => figure6(bench),
  algorithms,
  "weighted-paper": (bench) => weightedPaper(bench),
  "weighted-parameters": (bench) => weightedParameters(bench),
  "weighted-shapes": (bench) => weightedShapes(bench),
};

const onWorkers = (quick: boolean): Readonly<Record<string, Suite>> => ({
  trish: async (bench) => {
    await trishByK(bench, quick ? SOME_KS : undefined);
  },
  figure6: (bench) => figure6(bench, quick ? QUICK_LOG2N : WORKERS_LOG2N),
  "weighted-paper": (bench) => weightedPaper(bench, ...WORKERS_TABLE),
  "weighted-parameters": (bench) => weightedParameters(bench, ...WORKERS_TABLE),
  "weighted-shapes": (bench) => weightedShapes(bench, ...WORKERS_TABLE),
});

/** Measures as many figures as this hardware can, writes result files, and returns their folder. */
export async function measureHere(options: HereOptions): Promise<string> {
  const folder = join(options.out, "results");
  mkdirSync(folder, { recursive: true });
  const { quick, tell, commit } = options;
  const size = quick ? QUICK_CPU : CPU_SIZE;
  tell("measuring the CPU's figures …");
  const report = new Report(join(folder, "papers-cpu.json"), null, { commit, quiet: true });
  await scaling(report, size);
  await table4(report, size);
  report.save();
  const gpu = await gpuHere();
  const id = gpu?.id ?? "piscina";
  const suites = gpu === null ? onWorkers(quick) : ON_GPU;
  tell(gpu === null ? "no GPU found: workers measure the methods that they have" : `measuring on ${id}`);
  for (const [name, suite] of Object.entries(suites)) {
    await run(gpu ?? WORKERS, join(folder, `${id}-${name}.json`), suite, options);
  }
  if (options.pictures.length > 0) {
    const suite: Suite = (bench) => pictures(bench, options.pictures);
    await run(gpu ?? WORKERS, join(folder, `${id}-pictures.json`), suite, options);
  }
  return folder;
}

/** Recognises GPUs that software imitates by their adapters' names. Workers are faster, so figures never use them. */
export function isSoftware(device: string): boolean {
  return /swiftshader|llvmpipe|lavapipe|microsoft basic render/i.test(device);
}

async function gpuHere(): Promise<Target | null> {
  for (const target of Object.values(TARGETS)) {
    const probe = await target.backend().probe();
    if (probe.available && !isSoftware(probe.device)) return target;
  }
  return null;
}

/** Bytes of data of one size, rounds per cell, and seconds per suite. */
const FULL = { bytes: 2 ** 30, rounds: 21, budget: 600 };
const FULL_WORKERS = { bytes: 2 ** 26, rounds: 9, budget: 300 };
const QUICK = { bytes: 2 ** 24, rounds: 3, budget: 45 };

async function run(
  target: Target,
  file: string,
  suite: Suite,
  { quick, tell, commit }: HereOptions,
): Promise<void> {
  tell(`${file} …`);
  await using engine = await openEngine({ backend: target.timed() });
  await using oracle = await openEngine({ backend: cpu() });
  const report = new Report(file, target === WORKERS ? null : engine.device, { commit, quiet: true });
  const sizes = quick ? QUICK : target === WORKERS ? FULL_WORKERS : FULL;
  await suite(new Bench(target, engine, oracle, report, sizes));
  report.save();
}
