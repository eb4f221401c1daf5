import type { CellLimbs, PreparedWeighted, WeightedJob } from "@polybin/core/backend";
import type { Native } from "../border/index.ts";
import { timingsOf } from "./deliver.ts";
import { inputsOf, made, memoryOf, overMemory, readOf, watched } from "./dispatch.ts";
import { nativeCells } from "./prepare.ts";
import { cutOf } from "./segments.ts";

/** Prepares weighted sums of cells on up to `threads` threads. */
export function prepareWeighted(native: Native, threads: number, job: WeightedJob): PreparedWeighted {
  const { numbers, columns, launch } = nativeCells(job, threads);
  const counter = made(() => new native.Cells(numbers, columns));
  return {
    launch,
    async count(inputs, options) {
      options.signal?.throwIfAborted();
      const since = options.timed ? performance.now() : null;
      const { weights, rows, samples } = inputs;
      const size = job.plan.cells * (rows?.segments.count ?? 1);
      const counts = new Float64Array(size + 2);
      const of = inputsOf(inputs);
      const cut = rows && cutOf(rows.segments);
      const found = await overMemory([...memoryOf(of), ...weights.map(readOf)], () =>
        watched(options, samples, (watch) =>
          counter.sums(
            ...of,
            counts,
            watch,
            weights,
            job.squares,
            cut?.cut ?? null,
            cut?.offsets ?? NONE,
            rows?.first ?? 0,
          ),
        ),
      );
      const limbs = limbsIn(found, size);
      return {
        counts: counts.subarray(0, size),
        columns: weights.map(() => ({ sums: limbs(), squares: job.squares ? limbs() : null })),
        masked: counts[size]!,
        finite: counts[size + 1] === 0,
        timings: timingsOf(since),
      };
    },
  };
}

const NONE = new Float64Array(0);

/**
 * Returns what reads one kind of sums after the other.
 *
 *   found    the number of limbs | their exponents | limbs of all cells | limbs of all cells | … | the next kind
 */
function limbsIn(found: Float64Array, cells: number): () => readonly CellLimbs[] {
  let at = 0;
  return () => {
    const count = found[at++]!;
    const exponents = found.subarray(at, at + count);
    at += count;
    return Array.from(exponents, (exponent) => {
      const limbs = found.subarray(at, at + cells);
      at += cells;
      return { exponent, limbs };
    });
  };
}
