import type { Segmented } from "@polybin/core";
import { printable } from "../base/index.ts";
import { axisJson } from "../output/index.ts";
import { writeParts } from "../terminal/index.ts";
import type { SegmentedResult } from "./segmented.ts";

/** Writes one object on one line: `counts` has one row per segment, and each flow one number. */
export async function writeSegmentedJson({ input, found, timings }: SegmentedResult): Promise<void> {
  const { backend, device, algorithm, plan, axis, edges, segments } = found;
  const head = JSON.stringify({
    input,
    backend,
    device,
    algorithm,
    plan,
    axis: axisJson(axis, edges),
    segments,
  });
  const { underflow, overflow, nan } = found;
  const tail = JSON.stringify({
    underflow: [...underflow],
    overflow: [...overflow],
    nan: [...nan],
    timings,
  });
  const rows = rowsOf(found, (row, i) => `${i === 0 ? "" : ","}[${row.join(",")}]`);
  await writeParts(framed(`${printable(head.slice(0, -1))},"counts":[`, rows, `],${tail.slice(1)}\n`));
}

/** Writes one row per segment: its number, the count of each bin under the bin's lower edge, and the flow. */
export async function writeSegmentedCsv({ found }: SegmentedResult): Promise<void> {
  const { edges, bins, underflow, overflow, nan } = found;
  const header = ["segment", ...edges.subarray(0, bins), "underflow", "overflow", "nan"];
  const rows = rowsOf(
    found,
    (row, i) => `${[i, row.join(","), underflow[i], overflow[i], nan[i]].join(",")}\n`,
  );
  await writeParts(framed(`${header.join(",")}\n`, rows, ""));
}

function* rowsOf(
  { counts, bins, segments }: Segmented,
  text: (row: Segmented["counts"], segment: number) => string,
): Generator<string> {
  for (let i = 0; i < segments; i++) yield text(counts.subarray(i * bins, (i + 1) * bins), i);
}

function* framed(head: string, rows: Iterable<string>, tail: string): Generator<string> {
  yield head;
  yield* rows;
  yield tail;
}
