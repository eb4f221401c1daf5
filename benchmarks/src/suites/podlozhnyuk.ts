import { type Distribution, NO_CONFLICTS } from "../data/distributions.ts";
import { compiled } from "../programs/compiled.ts";
import { jsonLines } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";
import { median } from "../runner/statistics.ts";
import { Profiler } from "./ncu.ts";
import { PER_WARP, sweep } from "./sweeps.ts";
import { BYTES, countUnderNcu } from "./table1.ts";
import { METRICS, type Terms, termsOf } from "./table1-terms.ts";

/** Samples between the bounds of both methods: scattered, all equal, and different within a warp. */
const ON: readonly Distribution[] = ["uniform", "zeros", "ramp", NO_CONFLICTS];
const CELLS: readonly Cell[] = [{ algorithm: "per-thread-64", bins: 64 }, ...PER_WARP];
/** The kernels that count, without those that merge. */
const COUNTING = "histogram(64|256)";

/** A kernel as published, a line of peers/podlozhnyuk.cu: its median times, and its counters if ncu works. */
export interface Published {
  readonly kernel: "histogram64" | "histogram256";
  readonly variant: string;
  readonly distribution: string;
  readonly n: number;
  readonly exact: boolean;
  /** Mean rounds of the software tag per sample of a warp. */
  readonly rounds?: number;
  readonly ms: number;
  readonly mergeMs: number;
  readonly terms?: Terms;
}

/** The note with the published kernels. */
export const PUBLISHED = "kernels as published";

/** Measures Podlozhnyuk's methods, ours and as published, and what each of his tricks gains. */
export async function podlozhnyuk(bench: Bench): Promise<void> {
  const { report } = bench;
  const found = await published(bench);
  report.note(PUBLISHED, found);
  await sweep(bench, { on: ON, steps: [{ n: BYTES, cells: CELLS }] });
  const profiler = await Profiler.open(report, "Podlozhnyuk", METRICS);
  if (profiler === null) return;
  const program = () => [compiled("podlozhnyuk"), "26", "0"];
  const launches = found.length === 0 ? null : await profiler.launches(PUBLISHED, program(), COUNTING);
  // The program launches its kernels in the order of its lines.
  if (launches?.length === found.length) {
    const terms = launches.map((launch) => termsOf(launch, BYTES));
    report.note(
      PUBLISHED,
      found.map((line, i) => ({ ...line, terms: terms[i] })),
    );
  } else if (launches !== null) {
    report.miss(`${PUBLISHED}: expected ${found.length} launches but ncu reported ${launches.length}`);
  }
  const cells = CELLS.map((cell) => ({ ...cell, distribution: "uniform" as const }));
  await countUnderNcu(bench, "Podlozhnyuk", cells, profiler);
}

type Line = Omit<Published, "ms" | "mergeMs"> & { readonly [name in "ms" | "mergeMs"]: readonly number[] };

async function published({ report, options }: Bench): Promise<Published[]> {
  const found: Published[] = [];
  const command = () => [compiled("podlozhnyuk"), "26", String(options.rounds)] as const;
  await jsonLines<Line>(report, PUBLISHED, command, (line) => {
    const { kernel, variant, distribution, exact } = line;
    const of = { ...line, ms: median(line.ms), mergeMs: median(line.mergeMs) };
    console.log(JSON.stringify(of));
    if (exact) return void found.push(of);
    report.miss(`${PUBLISHED}, ${kernel}, ${variant}, ${distribution}: NOT EXACT`);
    process.exitCode = 1;
  });
  return found;
}
