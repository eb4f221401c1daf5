import type { NativeSums, NativeSumsJob } from "../src/border/index.ts";
import { NO_SKIP } from "../src/run/index.ts";
import { weightedNumbers } from "./unpacked.ts";

/** A table in the form that a context keeps. */
export interface FakeTable {
  readonly bytes: Uint8Array;
  readonly rowBytes: number;
}

/** Does the work of native/run/sums.cc in JavaScript. `type` is core's index: u4, u8, u16. */
export function fakeSums({ bytes, rowBytes }: FakeTable, job: NativeSumsJob): NativeSums {
  const totals: number[] = [];
  for (const { plan: packed, rows, skip } of job.launches) {
    const plan = weightedNumbers(packed);
    for (const [i, row] of rows.entries()) {
      const from = bytes.subarray(row * rowBytes, (row + 1) * rowBytes);
      const valueAt = (document: number) =>
        plan.type === 0
          ? (from[document >>> 1]! >>> ((document & 1) * 4)) & 15
          : plan.type === 1
            ? from[document]!
            : from[2 * document]! | (from[2 * document + 1]! << 8);
      const counts = new Float64Array(plan.bins);
      const sums = new Float64Array(plan.bins);
      const squares = new Float64Array(plan.bins);
      for (let at = 0; at < job.documents; at++) {
        const value = valueAt(job.list?.[at] ?? at);
        if (skip[i] !== NO_SKIP && value === skip[i]) continue;
        counts[value]! += 1;
        sums[value]! += job.weights[at]!;
        if (plan.squares) squares[value]! += job.squares![at]!;
      }
      totals.push(...(plan.counts ? counts : []), ...sums, ...(plan.squares ? squares : []));
    }
  }
  // Launch i takes i + 1 milliseconds for each feature.
  const ms = job.launches.flatMap(({ rows }, i) => Array.from(rows, () => i + 1));
  return { totals: Float64Array.from(totals), ms: job.timed ? ms : [], kernelMs: 1, uploadMs: 0 };
}
