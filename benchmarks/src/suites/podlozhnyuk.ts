import type { Distribution } from "../data/distributions.ts";
import { Tile } from "../data/tile.ts";
import { compiled } from "../programs/compiled.ts";
import { jsonLines } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";
import { median } from "../runner/statistics.ts";
import { Profiler } from "./ncu.ts";
import { BYTES, count } from "./table1.ts";
import { METRICS, type Terms, termsOf } from "./table1-terms.ts";

/** Samples between the bounds of both methods: scattered, all equal, and different within a warp. */
const ON: readonly Distribution[] = ["uniform", "zeros", "ramp"];
const CELLS: readonly Cell[] = [
  { algorithm: "per-thread-64", bins: 64 },
  { algorithm: "per-warp", collisions: "atomic" },
  { algorithm: "per-warp", collisions: "tag" },
];

/** One line of peers/podlozhnyuk.cu. */
interface Line {
  readonly kernel: "histogram64" | "histogram256";
  readonly variant: string;
  readonly distribution: string;
  readonly n: number;
  readonly exact: boolean;
  /** Mean rounds of the software tag per sample of a warp. */
  readonly rounds?: number;
  readonly ms: readonly number[];
  readonly mergeMs: readonly number[];
}

/** A kernel as published: its median times, and its counters if ncu works. */
export interface Published extends Omit<Line, "ms" | "mergeMs"> {
  readonly ms: number;
  readonly mergeMs: number;
  readonly terms?: Terms;
}

/** The note with the published kernels. */
export const PUBLISHED = "kernels as published";

/** Measures Podlozhnyuk's methods, ours and as published, and what each of his tricks gains. */
export async function podlozhnyuk(bench: Bench): Promise<void> {
  const found = await published(bench);
  bench.report.note(PUBLISHED, found);
  for (const distribution of ON) {
    await using data = await bench.load(Tile.of({ type: "u8", top: 256, channels: 1 }, distribution), BYTES);
    for (const cell of CELLS) await bench.measure(data, cell);
  }
  const metrics = await Profiler.open(bench.report, "Podlozhnyuk", Object.values(METRICS));
  if (metrics === null) return;
  const launches =
    found.length === 0
      ? null
      : await metrics.launches(PUBLISHED, [compiled("podlozhnyuk"), "26", "0"], COUNTING);
  // The program launches its kernels in the order of its lines.
  if (launches?.length === found.length) {
    bench.report.note(
      PUBLISHED,
      found.map((line, i) => ({ ...line, terms: termsOf(launches[i]!, BYTES) })),
    );
  } else if (launches !== null) {
    bench.report.miss(`${PUBLISHED}: expected ${found.length} launches but ncu reported ${launches.length}`);
  }
  await count(bench, metrics, "Podlozhnyuk", [
    ...CELLS.map((cell) => ({ ...cell, distribution: "uniform" as const })),
  ]);
}

/** The kernels that count, without those that merge. */
const COUNTING = "histogram(64|256)";

async function published({ report, options }: Bench): Promise<Published[]> {
  const found: Published[] = [];
  const command = () => [compiled("podlozhnyuk"), "26", String(options.rounds)] as const;
  await jsonLines<Line>(report, PUBLISHED, command, (line) => {
    if (!line.exact) {
      report.miss(`${PUBLISHED}, ${line.kernel}, ${line.variant}, ${line.distribution}: NOT EXACT`);
      process.exitCode = 1;
    }
    found.push({ ...line, ms: median(line.ms), mergeMs: median(line.mergeMs) });
    console.log(JSON.stringify(found.at(-1)));
  });
  return found.filter(({ exact }) => exact);
}
