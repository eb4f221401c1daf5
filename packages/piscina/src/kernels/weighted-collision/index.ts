// One table per feature in shared memory, which all workers add to with atomics.
//
//   shared memory   counts[bin], and for sums and squares lower[bin], upper[bin]   32 bits
//
// Bound: two atomic additions per document. They take about twenty cycles if no other worker interferes, otherwise the
// time to move the cache line between cores.
// Source: Xu et al., 4.3 Collision Method.
import { weightedAlgorithms } from "@polybin/core/backend";
import { addAtomically, numbersOf, SHARED_WORDS, type WeightedKernel } from "../lib/weighted.ts";

export const kernel: WeightedKernel = {
  algorithm: weightedAlgorithms["weighted-collision"],
  sharedWords: SHARED_WORDS,
  add(wasm, { features, skip, shared }, steps, done) {
    for (const step of steps()) {
      for (const [of, feature] of features.entries()) {
        const values = numbersOf(wasm, step.codes(feature));
        const weights = new Int32Array(wasm.memory.buffer, wasm.raw, step.count);
        const weightSquares = new Int32Array(wasm.memory.buffer, wasm.rawSquares, step.count);
        const { counts, sums, squares } = shared![of]!;
        const skipped = skip[of]!;
        for (let i = 0; i < step.count; i++) {
          const bin = values[i]!;
          if (bin === skipped) continue;
          Atomics.add(counts, bin, 1);
          addAtomically(sums, bin, weights[i]!);
          if (squares !== null) addAtomically(squares, bin, weightSquares[i]!);
        }
        done(step.count);
      }
    }
    return [];
  },
};
