import type { CountJob } from "../backend/index.ts";
import { FLOW_ROWS, REFERENCE_CHUNK, U32_MAX } from "../base/index.ts";
import { bitsOf, type SampleArray } from "../input/index.ts";
import { lowerInto } from "../lowering/index.ts";
import type { Reference } from "../plan/index.ts";
import type { RowNumbers, Rows } from "../result/index.ts";
import { rawInto } from "./counting.ts";

/** Counts segments one after the other in one table. */
export interface RowCounter {
  /** Counts the job's channel in `samples` samples from `at` on. */
  add(array: SampleArray, at: number, samples: number): void;
  /** Adds the counts to a row and to three numbers of flow, and clears the table. @returns the number of samples. */
  into(rows: Rows, row: number, flow: number): number;
}

/** Counts codes into a table, with those of flow after the cells. */
type Tally = (codes: Uint32Array, table: RowNumbers) => void;

const oneByOne: Tally = (codes, table) => {
  for (let i = 0; i < codes.length; i++) table[codes[i]!]!++;
};

/** Counts with the steps of an algorithm's reference. */
export function simulated({ plan }: CountJob, reference: Reference): Tally {
  return (codes, table) => {
    reference(codes, plan, plan.cells).forEach((amount, cell) => {
      table[cell]! += amount;
    });
    for (const code of codes) if (code >= plan.cells) table[code]! += 1;
  };
}

/** @param tally default: counts one code at a time, and counts bytes without converting them to codes */
export function rowCounter(
  { plan, lowering, interleaved, channels }: CountJob,
  tally: Tally = oneByOne,
): RowCounter {
  const { cells, raw, bins } = plan;
  const channel = channels[0]!;
  const { longest } = plan.segments!;
  const isLong = longest > U32_MAX;
  const table: RowNumbers = new (isLong ? Float64Array : Uint32Array)(cells + FLOW_ROWS);
  const binOf = raw && lowering.kind === "table" ? lowering.table : null;
  const isDirect = raw && tally === oneByOne;
  const chunk = Math.min(REFERENCE_CHUNK, longest);
  const codes = new Uint32Array(isDirect ? 0 : chunk);
  const addBytes = (array: SampleArray, at: number, samples: number): void => {
    const bits = bitsOf(array);
    for (let i = at + channel; i < at + samples; i += interleaved) table[bits[i]!]!++;
  };
  const addCodes = (array: SampleArray, at: number, samples: number): void => {
    for (let from = at; from < at + samples; from += chunk * interleaved) {
      const some = array.subarray(from, Math.min(at + samples, from + chunk * interleaved));
      const count = raw
        ? rawInto(some, channel, interleaved, codes)
        : lowerInto(lowering, some, channel, interleaved, codes);
      tally(codes.subarray(0, count), table);
    }
  };
  return {
    add: isDirect ? addBytes : addCodes,
    into({ counts, flow }, row, flowRow) {
      let seen = 0;
      for (let cell = 0; cell < cells + FLOW_ROWS; cell++) {
        const amount = table[cell]!;
        if (amount === 0) continue;
        seen += amount;
        table[cell] = 0;
        const code = binOf === null ? cell : binOf[cell]!;
        if (code < bins) counts[row + code]! += amount;
        else if (flow !== null) flow[flowRow + code - bins]! += amount;
      }
      return seen;
    },
  };
}
