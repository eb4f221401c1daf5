import { statfsSync } from "node:fs";
import { cpu, openEngine } from "@polybin/core";
import { progressLine } from "../../runner/progress.ts";
import type { Report } from "../../runner/report.ts";
import { Scope } from "../../runner/scope.ts";
import { bytesOf, type Case } from "../cpu/cases.ts";
import { contestantsOf } from "../cpu/contestants.ts";
import { measureCell, Processes } from "../cpu/measure.ts";
import type { HostOptions } from "../host-options.ts";
import { casesOf, FRAME, TASKS } from "./cases.ts";
import { frameOnGpus } from "./frame.ts";

export { gpuOf } from "./frame.ts";
export { TASKS };

const COMPILE = { calls: 20, seconds: 1 };
const PACE = { most: 30, seconds: 1.5, turns: 3 };
const QUICK_COMPILE = { calls: 3, seconds: 0.01 };
const QUICK_PACE = { most: 3, seconds: 0.002, turns: 1 };
/** The share of the bytes of a file that must be free where it is written. */
const ROOM = 1.1;

/** Measures what people do: a picture, a column, groups, a large file, and a frame on a GPU if there is one. */
export async function tasksOnHost(
  report: Report,
  { quick, only = TASKS, hasTime }: HostOptions,
): Promise<void> {
  const [pace, compile] = quick ? [QUICK_PACE, QUICK_COMPILE] : [PACE, COMPILE];
  await using scope = new Scope();
  const oracle = scope.own(await openEngine({ backend: cpu() }));
  const scratch = scope.folder();
  using progress = progressLine();
  for (const of of casesOf(quick)) {
    if (!only.includes(of.name) || !hasTime(of.name) || !hasRoom(of, scratch, report)) continue;
    progress.show(of.name);
    const contestants = (await contestantsOf(of, report, scratch)).map(
      // One way to call is enough for a task.
      (one) => ({ ...one, calls: ["count"] as const }),
    );
    await using processes = new Processes();
    const bench = { of, report, oracle, scratch, pace, compile };
    await measureCell(bench, of.cells[0]!, contestants, processes).catch((error: Error) =>
      report.lose(of.name, error),
    );
  }
  if (only.includes(FRAME.name) && hasTime(FRAME.name)) await frameOnGpus(report, { scratch, oracle, pace });
}

/** Whether a file fits the disk. Reports the missing task if it does not. */
function hasRoom(of: Case, scratch: string, report: Report): boolean {
  const { bavail, bsize } = statfsSync(scratch);
  const needed = bytesOf(of, of.cells[0]!.n) * ROOM;
  if (bavail * bsize > needed) return true;
  report.miss(
    `${of.name}: it needs ${(needed / 1e9).toFixed(1)} GB of disk, and ${((bavail * bsize) / 1e9).toFixed(1)} GB are free`,
  );
  return false;
}
