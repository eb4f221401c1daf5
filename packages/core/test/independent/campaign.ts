import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { codeOf } from "./code.ts";
import { caseOf } from "./generate.ts";
import type { Finding, Report, Task } from "./serve.ts";

/** The cases to run. */
export interface Campaign {
  /** The file of a worker that calls `serve`. */
  readonly worker: URL;
  readonly seed: number;
  readonly cases: number;
  readonly threads: number;
  /** Milliseconds without a sign of life after which a case counts as hung. Default: 10,000. */
  readonly patience?: number;
}

/** The sum of all cases. */
export interface Findings {
  readonly cases: number;
  /** Cases that the reference cannot judge. */
  readonly unjudged: number;
  readonly wrong: readonly Finding[];
  readonly hung: readonly Finding[];
  /** Promised refusals by code. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Cases of a task. */
const TASK = 250;
/** Findings after which a campaign ends, because each takes a while to shrink. */
const ENOUGH = 20;

/** Runs random cases in threads and watches that none hangs. A thread that hangs is ended, and another goes on. */
export async function campaign({
  worker,
  seed,
  cases,
  threads,
  patience = 10_000,
}: Campaign): Promise<Findings> {
  const wrong = new Map<number, Finding>();
  const hung: Finding[] = [];
  const refused: Record<string, number> = {};
  let next = 0;
  let done = 0;
  let unjudged = 0;

  async function work(): Promise<void> {
    while (next < cases && wrong.size + hung.length < ENOUGH) {
      const task = { from: next, to: Math.min(cases, next + TASK), without: [] as number[] };
      next = task.to;
      await run(task);
    }
  }

  let idle: Thread[] = [];

  async function run(task: Task & { readonly without: number[] }): Promise<void> {
    for (;;) {
      const thread = idle.pop() ?? threadOf(worker, seed);
      const stuck = await thread.run(task, patience, (report) => {
        if (report.kind === "found") return wrong.set(report.finding.run, report.finding);
        done += report.cases;
        unjudged += report.unjudged;
        for (const [code, count] of Object.entries(report.refused))
          refused[code] = (refused[code] ?? 0) + count;
        return undefined;
      });
      if (stuck === null) return void idle.push(thread);
      hung.push({
        run: stuck,
        wrong: `does not end within ${patience} ms`,
        code: codeOf(caseOf(seed, stuck)),
      });
      task.without.push(stuck);
    }
  }

  await Promise.all(Array.from({ length: threads }, work));
  await Promise.all(idle.map(({ end }) => end()));
  idle = [];
  const byRun = (a: Finding, b: Finding) => a.run - b.run;
  return { cases: done, unjudged, wrong: [...wrong.values()].sort(byRun), hung: hung.sort(byRun), refused };
}

interface Thread {
  /** Runs a task. Returns the number of the case that hung, or null. */
  run(task: Task, patience: number, tell: (report: Report) => void): Promise<number | null>;
  end(): Promise<unknown>;
}

function threadOf(file: URL, seed: number): Thread {
  const beat = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(file, { workerData: { seed, beat }, execArgv: [] });
  return {
    end: () => worker.terminate(),
    async run(task, patience, tell) {
      let over = false;
      const finished = new Promise<void>((resolve, reject) => {
        worker.removeAllListeners();
        worker.on("error", reject);
        worker.on("message", (report: Report) => {
          tell(report);
          if (report.kind === "done") resolve();
        });
      }).finally(() => {
        over = true;
      });
      worker.postMessage(task);
      let [last, since] = [-1, performance.now()];
      while (!over) {
        await Promise.race([finished, setTimeout(patience / 20)]);
        const now = Atomics.load(beat, 1);
        if (now !== last) [last, since] = [now, performance.now()];
        else if (!over && performance.now() - since > patience) {
          await worker.terminate();
          return Atomics.load(beat, 0);
        }
      }
      await finished;
      return null;
    },
  };
}

/** Lines for a person: each finding with its code. */
export function describeFindings({ cases, unjudged, wrong, hung, refused }: Findings, seed: number): string {
  const one = ({ run, wrong: how, code }: Finding) => `case ${run} of seed ${seed}: ${how}\n${code}`;
  const codes = Object.entries(refused).map(([code, count]) => `${code} ${count}`);
  const sum = `${cases} cases, ${wrong.length} wrong, ${hung.length} hung, ${unjudged} not judged; refused: ${codes.join(", ")}`;
  return [sum, ...[...wrong, ...hung].map(one)].join("\n\n");
}
