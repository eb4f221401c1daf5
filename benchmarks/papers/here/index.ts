import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withBench } from "../../src/runner/bench.ts";
import { Report } from "../../src/runner/report.ts";
import { IMITATED, TARGETS, type Target, WORKERS } from "../../src/runner/target.ts";
import { PAPERS, type Suite } from "../../src/suites/index.ts";
import { CPU_SIZE, QUICK_CPU, scaling, table4 } from "../../src/suites/papers-cpu.ts";
import { onWorkers } from "../../src/suites/papers-workers.ts";
import { type Plane, pictures } from "../../src/suites/pictures.ts";

/** How much is measured: some figures on the CPU, all figures with less data, or all of them. */
export const MODES = ["demo", "partial", "full"] as const;
export type Mode = (typeof MODES)[number];

export interface HereOptions {
  readonly out: string;
  readonly mode: Mode;
  /** Pictures for Figure 7. */
  readonly pictures: readonly Plane[];
  /** The checkout's commit. */
  readonly commit: string;
  tell(line: string): void;
}

/** Measures as many figures as this hardware can, writes result files, and returns their folder. */
export async function measureHere(options: HereOptions): Promise<string> {
  const folder = join(options.out, "results");
  mkdirSync(folder, { recursive: true });
  const { mode, tell, commit } = options;
  const size = { demo: DEMO_CPU, partial: QUICK_CPU, full: CPU_SIZE }[mode];
  tell("measuring the CPU's figures …");
  const report = new Report(join(folder, "papers-cpu.json"), null, { commit, quiet: true });
  await scaling(report, size);
  await table4(report, size);
  report.save();
  const gpu = mode === "demo" ? null : await gpuHere();
  const id = gpu?.id ?? "piscina";
  const suites = gpu === null ? onWorkers(mode !== "full") : PAPERS;
  tell(gpu === null ? "no GPU is used: workers measure the methods that they have" : `measuring on ${id}`);
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
  return IMITATED.test(device);
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
const PARTIAL = { bytes: 2 ** 24, rounds: 3, budget: 45 };
/** All suites of workers together take less than two minutes. */
const DEMO = { bytes: 2 ** 22, rounds: 3, budget: 8 };
const DEMO_CPU = { ...QUICK_CPU, bytes: 2 ** 24, documents: 2 ** 15, rounds: 3 };

async function run(
  target: Target,
  file: string,
  suite: Suite,
  { mode, tell, commit }: HereOptions,
): Promise<void> {
  tell(`${file} …`);
  const full = target === WORKERS ? FULL_WORKERS : FULL;
  const sizes = { demo: DEMO, partial: PARTIAL, full }[mode];
  const reportFor = (device: string) =>
    new Report(file, target === WORKERS ? null : device, { commit, quiet: true });
  await withBench(target, sizes, reportFor, async (bench) => {
    await suite(bench);
    bench.report.save();
  });
}
