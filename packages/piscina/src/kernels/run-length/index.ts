// A table a worker; a run of equal codes is one addition at its end.
//
//   COUNTS   [cell]   counters of 32 bits; the result itself, nothing to fold
//
// Bound: a comparison a sample, and the branch that each end of a run mispredicts.
// Source: the example of docs/adding-an-algorithm.md.
import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

export const kernel: Kernel = {
  algorithm: algorithms["run-length"],

  count({ memory, counts }, { address, count, bytes }, { cells, parameters }) {
    const codes =
      bytes === 1
        ? new Uint8Array(memory.buffer, address, count)
        : new Uint16Array(memory.buffer, address, count);
    const table = new Uint32Array(memory.buffer, counts, cells);
    const longest = Number(parameters.longest);
    for (let first = 0; first < count; ) {
      const code = codes[first]!;
      const end = Math.min(count, first + longest);
      let next = first + 1;
      while (next < end && codes[next] === code) next++;
      table[code] = table[code]! + (next - first);
      first = next;
    }
  },
  finish: () => {},
};
