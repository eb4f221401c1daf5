import type { Segmented } from "@polybin/core";
import { printable } from "../base/index.ts";
import { axisJson } from "../output/index.ts";
import { write } from "../terminal/index.ts";
import type { SegmentedResult } from "./segmented.ts";

/** Characters per write. All counts together may exceed the longest string. */
const PIECE = 1 << 20;

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
  await writePieces(
    `${printable(head.slice(0, -1))},"counts":[`,
    rowsOf(found, (row, i) => `${i === 0 ? "" : ","}[${row.join(",")}]`),
    `],${tail.slice(1)}\n`,
  );
}

/** Writes one row per segment: its number, the count of each bin under the bin's lower edge, and the flow. */
export async function writeSegmentedCsv({ found }: SegmentedResult): Promise<void> {
  const { edges, bins, underflow, overflow, nan } = found;
  const header = ["segment", ...edges.subarray(0, bins), "underflow", "overflow", "nan"];
  await writePieces(
    `${header.join(",")}\n`,
    rowsOf(found, (row, i) => `${[i, row.join(","), underflow[i], overflow[i], nan[i]].join(",")}\n`),
    "",
  );
}

function* rowsOf(
  { counts, bins, segments }: Segmented,
  text: (row: Segmented["counts"], segment: number) => string,
): Generator<string> {
  for (let i = 0; i < segments; i++) yield text(counts.subarray(i * bins, (i + 1) * bins), i);
}

async function writePieces(head: string, rows: Iterable<string>, tail: string): Promise<void> {
  let piece = head;
  for (const part of rows) {
    piece += part;
    if (piece.length < PIECE) continue;
    await write(piece);
    piece = "";
  }
  await write(piece + tail);
}
