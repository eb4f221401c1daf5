import { compiled } from "../programs/compiled.ts";
import { eachLine } from "../programs/lines.ts";
import type { ReadRow } from "./read-row.ts";

/** Reads a GPU's memory in every way that read.cuh has. @throws an Error of one line */
export function readOnCuda(bytes: number, rounds: number): Promise<ReadRow[]> {
  return linesOf(["read", bytes - (bytes % 16), rounds]);
}

/** Copies ordinary or page-locked memory to a GPU, and returns the milliseconds of each round. @throws an Error of one line */
export async function copyToCuda(
  bytes: number,
  rounds: number,
  memory: "pinned" | "pageable",
): Promise<readonly number[]> {
  const [line] = await linesOf<Pick<ReadRow, "ms">>(["copy", bytes, rounds, memory]);
  return line!.ms;
}

async function linesOf<Line>(args: readonly (string | number)[]): Promise<Line[]> {
  const lines: Line[] = [];
  const failure = await eachLine(compiled("ceilings"), args.map(String), (line) => {
    lines.push(JSON.parse(line) as Line);
  });
  if (failure !== null) throw new Error(failure);
  return lines;
}
