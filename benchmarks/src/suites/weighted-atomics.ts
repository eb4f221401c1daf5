import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Bench } from "../runner/bench.ts";
import { throughput } from "../runner/statistics.ts";

/** Path of the program, next to the bundled one. */
const PROGRAM = fileURLToPath(new URL("./collision", import.meta.url));
const PROGRAM_MS = 60_000;

/** Section 6.2.1: 1,024 bins, 8 warps, no unrolling. */
const SHAPE = { bins: 1024, warps: 8 } as const;
const FEATURES = 1024;
const DOCUMENTS = 2 ** 17;

/** A line of peers/collision.cu: the collision method with atomics or without. */
interface Line {
  readonly values: "uniform" | "equal";
  readonly precision: "reproducible" | "fast";
  readonly atomics: boolean;
  /** Share of the documents whose counts were lost. */
  readonly lost: number;
  readonly ms: readonly number[];
}

/** The note with the measurements. */
export const WITHOUT_ATOMICS = "collision method with and without atomics (6.2.1)";

/**
 * Measures Xu et al.'s collision method without atomics (6.2.1), which loses additions. No plan does that, so
 * peers/collision.cu has the kernel. It compares the counts before it measures.
 */
export async function weightedAtomics(
  { engine, report, options }: Bench,
  features: number = FEATURES,
  documents: number = DOCUMENTS,
  program: string = PROGRAM,
): Promise<void> {
  if (!existsSync(program)) {
    report.miss(
      `${WITHOUT_ATOMICS}: expected ${program} but it does not exist; npm run gpu:bundle builds it for CUDA`,
    );
    return;
  }
  const { bins, warps } = SHAPE;
  await using table = await engine.table({
    values: new Uint16Array(features * documents),
    features,
    documents,
    bins,
  });
  const cells: (Line & { readonly gbps: number })[] = [];
  const { plans } = await table.sums(new Float32Array(documents), {
    algorithm: "weighted-collision",
    precision: "fast",
    warps,
  });
  const { threads, segments, segmentDocuments, parameters } = plans[0]!;
  const numbers = [
    features,
    documents,
    bins,
    threads,
    segments,
    segmentDocuments,
    parameters.unroll,
    options.rounds,
  ];
  try {
    const text = execFileSync(program, numbers.map(String), { encoding: "utf8", timeout: PROGRAM_MS });
    for (const line of text.trim().split("\n")) {
      const cell = JSON.parse(line) as Line;
      cells.push({
        ...cell,
        gbps: throughput(features * documents * Uint16Array.BYTES_PER_ELEMENT, cell.ms),
      });
    }
  } catch (error) {
    report.lose(WITHOUT_ATOMICS, error as Error);
  }
  report.note(
    WITHOUT_ATOMICS,
    { features, documents, bins, warps, cells },
    { backend: "cuda", algorithm: "weighted-collision" },
  );
  for (const { values, precision, atomics, lost, gbps } of cells) {
    const how = atomics ? "with" : `without (${(100 * lost).toFixed(1)}% lost)`;
    console.log(`${values}, ${precision}, ${how} atomics: ${gbps.toFixed(1)} GB/s`);
  }
}
