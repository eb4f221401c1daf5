import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withBench } from "../../src/runner/bench.ts";
import { Report } from "../../src/runner/report.ts";
import { IMITATED, TARGETS, type Target, WORKERS } from "../../src/runner/target.ts";
import { PAPERS, type Suite } from "../../src/suites/index.ts";
import { CPU_SIZE, QUICK_CPU, scaling, table4 } from "../../src/suites/papers-cpu.ts";
import { onWorkers } from "../../src/suites/papers-workers.ts";
import { type Plane, pictures } from "../../src/suites/pictures.ts";

export interface HereOptions {
  readonly out: string;
  readonly quick: boolean;
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
  const { quick, tell, commit } = options;
  const size = quick ? QUICK_CPU : CPU_SIZE;
  tell("measuring the CPU's figures …");
  const report = new Report(join(folder, "papers-cpu.json"), null, { commit, quiet: true });
  await scaling(report, size);
  await table4(report, size);
  report.save();
  const gpu = await gpuHere();
  const id = gpu?.id ?? "piscina";
  const suites = gpu === null ? onWorkers(quick) : PAPERS;
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
const QUICK = { bytes: 2 ** 24, rounds: 3, budget: 45 };

async function run(
  target: Target,
  file: string,
  suite: Suite,
  { quick, tell, commit }: HereOptions,
): Promise<void> {
  tell(`${file} …`);
  const sizes = quick ? QUICK : target === WORKERS ? FULL_WORKERS : FULL;
  const reportFor = (device: string) =>
    new Report(file, target === WORKERS ? null : device, { commit, quiet: true });
  await withBench(target, sizes, reportFor, async (bench) => {
    await suite(bench);
    bench.report.save();
  });
}
