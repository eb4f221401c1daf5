// Like weighted-collision, but a worker first gathers some documents in a buffer of its own, where equal values become
// one.
//
//   own     unit: value, count, sum, sum of squares; place: (value mod N_buffer + worker) mod N_buffer, then the next one
//   shared  as in weighted-collision
//
// Bound: as weighted-collision, minus what equal values nearby save. The probing costs about as much as an atomic.
// Source: Xu et al., 4.4 Collision-Reduced Method, Algorithm 2; the weight of a value that is already present is added.
import { weightedAlgorithms } from "@polybin/core/backend";
import { addAtomically, numbersOf, SHARED_WORDS, type WeightedKernel } from "../lib/weighted.ts";

export const kernel: WeightedKernel = {
  algorithm: weightedAlgorithms["weighted-collision-reduced"],
  sharedWords: SHARED_WORDS,
  add(wasm, { plan, features, skip, shared, worker }, steps, done) {
    const size = Number(plan.parameters.buffer);
    const [ownValues, ownCounts] = [new Int32Array(size), new Int32Array(size)];
    // A unit adds at most N_buffer integers, far fewer than 32 bits can hold.
    const [ownSums, ownSquares] = [new Int32Array(size), new Int32Array(size)];
    const first = worker % size;
    for (const step of steps()) {
      for (const [of, feature] of features.entries()) {
        const values = numbersOf(wasm, step.codes(feature));
        const weights = new Int32Array(wasm.memory.buffer, wasm.raw, step.count);
        const weightSquares = new Int32Array(wasm.memory.buffer, wasm.rawSquares, step.count);
        const { counts, sums, squares } = shared![of]!;
        const skipped = skip[of]!;
        for (let from = 0; from < step.count; from += size) {
          const to = Math.min(step.count, from + size);
          for (let i = from; i < to; i++) {
            const value = values[i]!;
            if (value === skipped) continue;
            let place = (value + first) % size;
            while (ownCounts[place]! > 0 && ownValues[place] !== value)
              place = place + 1 === size ? 0 : place + 1;
            ownValues[place] = value;
            ownCounts[place]!++;
            ownSums[place]! += weights[i]!;
            if (squares !== null) ownSquares[place]! += weightSquares[i]!;
          }
          for (let place = 0; place < size; place++) {
            if (ownCounts[place] === 0) continue;
            const bin = ownValues[place]!;
            Atomics.add(counts, bin, ownCounts[place]!);
            addAtomically(sums, bin, ownSums[place]!);
            if (squares !== null) addAtomically(squares, bin, ownSquares[place]!);
            ownCounts[place] = 0;
            ownSums[place] = 0;
            ownSquares[place] = 0;
          }
        }
        done(step.count);
      }
    }
    return [];
  },
};
