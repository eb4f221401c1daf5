import { cpu, openEngine } from "@polybin/core";
import { progressLine } from "../../runner/progress.ts";
import type { Report } from "../../runner/report.ts";
import { Scope } from "../../runner/scope.ts";
import { cpuGoals, goalText } from "../../tables/cpu-goals.ts";
import type { HostOptions } from "../host-options.ts";
import { bytesOf, CASES, type Case, type Cell, costOf, NAMES, QUICK } from "./cases.ts";
import { contestantsOf } from "./contestants.ts";
import { type Bench, measureCell, Processes } from "./measure.ts";

const COMPILE = { calls: 20_000, seconds: 1 };
const QUICK_COMPILE = { calls: 3, seconds: 0.01 };
/** A short call takes several times as long just after its process slept, so thousands of calls lead each burst. */
const PACE = { most: 90, seconds: 0.05, turns: 3, lead: 5000 };
const QUICK_PACE = { most: 3, seconds: 0.002, turns: 1 };
/** Copies of the largest samples in memory and in the cache of files. */
const COPIES = 3;

export { NAMES as CPU_CASES };

/**
 * Measures ordinary calls on the CPU, ours and other programs'. Every contestant has a process for each kind of samples, so
 * that none has seen other types. Each case gets its share of the time, and then its remaining cells are missing.
 */
export async function cpuOnHost(report: Report, options: HostOptions): Promise<void> {
  const { quick, only = NAMES } = options;
  const cases = (quick ? QUICK : CASES).filter(({ name }) => only.includes(name));
  const end = performance.now() + options.seconds * 1000;
  let left = cases.reduce((sum, one) => sum + costOf(one), 0);
  await using scope = new Scope();
  const oracle = scope.own(await openEngine({ backend: cpu() }));
  const scratch = scope.folder();
  using progress = progressLine();
  for (const of of cases) {
    const now = performance.now();
    const share = costOf(of) / left;
    left -= costOf(of);
    const [pace, compile] = quick ? [QUICK_PACE, QUICK_COMPILE] : [PACE, COMPILE];
    const bench = { of, report, oracle, scratch, pace, compile };
    await measureCase(bench, now + (end - now) * share, (what) => progress.show(what));
  }
  const goals = cpuGoals(report.rows);
  report.note("what it must show", goals);
  if (!quick) console.log(goals.map(goalText).join("\n"));
}

async function measureCase(bench: Bench, end: number, show: (what: string) => void): Promise<void> {
  const { of, report, scratch } = bench;
  const contestants = await contestantsOf(of, report, scratch);
  await using processes = new Processes();
  for (const cell of of.cells) {
    const what = whatOf(of, cell);
    show(what);
    if (performance.now() > end) report.miss(`${what}: the time of its kind was used up`);
    else if (cell.field === "alone" && bytesOf(of, cell.n) * COPIES > process.availableMemory())
      report.miss(`${what}: the machine has too little free memory`);
    else
      await measureCell(bench, cell, contestants, processes).catch((error: Error) =>
        report.lose(what, error),
      );
  }
}

function whatOf({ name, bins }: Case, { n, distribution }: Cell): string {
  return `${name}, ${bins} bins, ${distribution}, n = ${n}`;
}
