import { U16_MAX } from "../../base/index.ts";
import type { SumsPlan, WeightedInput } from "../../plan/index.ts";
import { addSums, type BinSums, noSums } from "../../weights/index.ts";
import { Accumulators } from "../lib/accumulators.ts";
import { documentsPerFetchOf } from "../lib/fetch.ts";
import { binWithin, inSegments, type Segment } from "../lib/weighted-simulate.ts";
import { BUFFER_VALUE_SHIFT } from "../weighted-collision-reduced.ts";

/** The lower half of a unit. */
const COUNT_MASK = U16_MAX;

interface Buffer {
  readonly units: Uint32Array;
  readonly sums: Int32Array | Float32Array;
  readonly squares: Int32Array | Float32Array;
}

/** Simulates `weighted-collision-reduced`, step by step. */
export function reference(input: WeightedInput, plan: SumsPlan): BinSums {
  const { threads, flushDocuments, subHistogramBytes } = plan;
  const buffer = bufferOf(plan);
  const subHistograms: BinSums[] = [];
  const sums = inSegments(input, plan, (segment, totals) => {
    const table = new Accumulators(segment.bins, plan);
    if (subHistogramBytes > 0) subHistograms.push(noSums(input.bins, plan));
    const to = subHistograms.at(-1) ?? totals;
    const flush = () => table.flushInto(to, (bin) => segment.first + bin);
    let added = 0;
    // A thread takes N_buffer documents at a time, so a new value always finds a free unit.
    for (let at = segment.from; at < segment.to; at += threads * buffer) {
      if (flushDocuments !== null && added + threads * buffer > flushDocuments) {
        flush();
        added = 0;
      }
      const buffers = Array.from({ length: threads }, (_, thread) =>
        gathered(input, plan, segment, at, thread),
      );
      for (let unit = 0; unit < buffer; unit++) {
        for (const { units, sums, squares } of buffers) {
          const count = units[unit]! & COUNT_MASK;
          if (count > 0) table.add(units[unit]! >>> BUFFER_VALUE_SHIFT, sums[unit]!, squares[unit]!, count);
        }
      }
      added += threads * buffer;
    }
    flush();
  });
  // The second kernel of Algorithm 2.
  for (const one of subHistograms) addSums(sums, one);
  return sums;
}

/** Step 1.1: fills a thread's buffer with its documents from `at` on. */
function gathered(
  input: WeightedInput,
  plan: SumsPlan,
  segment: Segment,
  at: number,
  thread: number,
): Buffer {
  const { threads, precision } = plan;
  const buffer = bufferOf(plan);
  const perFetch = documentsPerFetchOf(plan);
  const numbers = () => (precision === "fast" ? new Float32Array(buffer) : new Int32Array(buffer));
  const own = { units: new Uint32Array(buffer), sums: numbers(), squares: numbers() };
  for (let i = 0; i < buffer; i++) {
    const fetch = Math.floor(i / perFetch);
    const document = at + (fetch * threads + thread) * perFetch + (i % perFetch);
    const value = document < segment.to ? binWithin(input, segment, document) : -1;
    if (value < 0) continue;
    let place = ((value % buffer) + thread) % buffer;
    while ((own.units[place]! & COUNT_MASK) > 0 && own.units[place]! >>> BUFFER_VALUE_SHIFT !== value) {
      place = (place + 1) % buffer;
    }
    const count = own.units[place]! & COUNT_MASK;
    own.units[place] = (value << BUFFER_VALUE_SHIFT) | (count + 1);
    // A unit adds at most N_buffer integers, far fewer than a 32-bit sum allows.
    own.sums[place] = own.sums[place]! + input.weights[document]!;
    if (input.squares !== null) own.squares[place] = own.squares[place]! + input.squares[document]!;
  }
  return own;
}

/** Returns N_buffer of a plan. */
function bufferOf({ parameters }: SumsPlan): number {
  return Number(parameters.buffer);
}
