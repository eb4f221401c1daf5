import { compiled } from "../programs/compiled.ts";
import { jsonLines } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import { throughput } from "../runner/statistics.ts";

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
  program: () => string = () => compiled("collision"),
): Promise<void> {
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
  const bytes = features * documents * Uint16Array.BYTES_PER_ELEMENT;
  await jsonLines<Line>(
    report,
    WITHOUT_ATOMICS,
    () => [program(), ...numbers.map(String)],
    (line) => {
      cells.push({ ...line, gbps: throughput(bytes, line.ms) });
    },
  );
  if (cells.length === 0) return;
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
