import type { SumsPlan, WeightedInput } from "../../plan/index.ts";
import { type BinSums, noSums } from "../../weights/index.ts";
import { Accumulators } from "./accumulators.ts";
import { documentsPerFetchOf } from "./fetch.ts";

/** The bins that one pass adds up. Documents outside them are skipped, as a predicated-off thread skips them. */
export interface Window {
  readonly first: number;
  readonly bins: number;
}

/** The documents [from, to) that one block adds up in one pass. */
export interface Segment extends Window {
  readonly from: number;
  readonly to: number;
}

/** Runs every pass and segment of a plan in its own block, and adds the blocks' sums to the totals. */
export function inSegments(
  input: WeightedInput,
  { binsPerPass, segmentDocuments, counts, squares }: SumsPlan,
  block: (segment: Segment, totals: BinSums) => void,
): BinSums {
  const totals = noSums(input.bins, { counts, squares });
  const documents = input.values.length;
  for (let first = 0; first < input.bins; first += binsPerPass) {
    const bins = Math.min(binsPerPass, input.bins - first);
    for (let from = 0; from < documents; from += segmentDocuments) {
      block({ first, bins, from, to: Math.min(documents, from + segmentDocuments) }, totals);
    }
  }
  return totals;
}

/** Returns the bin of a document within a window, or -1 if it is outside or skipped. */
export function binWithin(
  { values, skip }: WeightedInput,
  { first, bins }: Window,
  document: number,
): number {
  const value = values[document]!;
  const bin = value - first;
  return value === skip || bin < 0 || bin >= bins ? -1 : bin;
}

/**
 * Simulates blocks whose threads alternate between neighbouring fetches, each of one or several documents. Each thread
 * adds to the table of its lane:
 *
 *   words:  sum[bin * R + lane mod R]
 *
 * If R is the number of threads, every thread has its own table. If R is 1, all threads share one. Otherwise there is
 * one table per bank. A single thread, as on workers, alternates between its tables. A thread reads `unroll`
 * documents into registers before it adds the first of them.
 */
export function sumInLanes(input: WeightedInput, plan: SumsPlan): BinSums {
  const { threads, replicas, flushDocuments, binsPerPass } = plan;
  const unroll = Number(plan.parameters.unroll ?? 1);
  const perFetch = documentsPerFetchOf(plan);
  const stride = threads * perFetch;
  return inSegments(input, plan, (segment, totals) => {
    const tables = new Accumulators(binsPerPass * replicas, plan);
    const flush = () => tables.flushInto(totals, (cell) => bounded(segment, Math.floor(cell / replicas)));
    let added = 0;
    for (let step = 0, at = segment.from; at < segment.to; step += perFetch, at += stride) {
      // There are whole batches of `unroll` documents per thread between two flushes.
      if (flushDocuments !== null && step % unroll === 0 && added + unroll * threads > flushDocuments) {
        flush();
        added = 0;
      }
      for (let ahead = 0; ahead < stride && at + ahead < segment.to; ahead++) {
        const document = at + ahead;
        const thread = Math.floor(ahead / perFetch);
        const bin = binWithin(input, segment, document);
        if (bin < 0) continue;
        tables.add(
          bin * replicas + ((threads === 1 ? step : thread) % replicas),
          input.weights[document]!,
          input.squares === null ? 0 : input.squares[document]!,
        );
      }
      added += stride;
    }
    flush();
  });
}

/** Maps a cell to a bin. Cells after the last window's bins are empty, so they may map to its last bin. */
function bounded({ first, bins }: Window, bin: number): number {
  return first + Math.min(bin, bins - 1);
}
