import { parentPort, workerData } from "node:worker_threads";
import type { Case } from "./cases.ts";
import { check } from "./check.ts";
import { codeOf } from "./code.ts";
import { caseOf } from "./generate.ts";
import { known } from "./known.ts";
import type { Polybin } from "./perform.ts";
import { shrunk } from "./shrink.ts";

/** What a campaign passes to its workers. */
export interface Order {
  readonly seed: number;
  /** The number of the case in work, and a count of calls, which shows that the worker lives. */
  readonly beat: Int32Array;
}

/** Cases [from, to), without some that hung before. */
export interface Task {
  readonly from: number;
  readonly to: number;
  readonly without: readonly number[];
}

/** A case whose answer is wrong, and lines of code that repeat it. */
export interface Finding {
  readonly run: number;
  readonly wrong: string;
  readonly code: string;
}

/** What a worker says: a finding before and after it shrank, or the end of a task. */
export type Report =
  | { readonly kind: "found"; readonly finding: Finding }
  | { readonly kind: "done"; readonly cases: number; readonly refused: Readonly<Record<string, number>> };

/** Every so many cases, a case gets an engine of its own. */
const FRESH = 16;
/** Cases before a wrong one among which one is looked for that the engine still remembers. */
const REMEMBERED = 64;

type Engine = Awaited<ReturnType<Polybin["openEngine"]>>;

/** Runs the tasks of a campaign on one engine, and some of their cases on engines of their own. */
export function serve(polybin: Polybin, open: () => Promise<Engine>): void {
  const { seed, beat } = workerData as Order;
  const port = parentPort!;
  let kept: Promise<Engine> | undefined;
  const history: Case[] = [];
  const tell = (report: Report) => port.postMessage(report);
  const alive = () => Atomics.add(beat, 1, 1);

  async function onFresh<R>(use: (engine: Engine) => Promise<R>): Promise<R> {
    const engine = await open();
    try {
      return await use(engine);
    } finally {
      await engine.close();
    }
  }

  async function one(run: number): Promise<string | null> {
    const of = caseOf(seed, run);
    if (known(of)) return null;
    kept ??= open();
    const engine = await kept;
    const outcome =
      run % FRESH === 0 ? await onFresh((own) => check(polybin, own, of)) : await check(polybin, engine, of);
    if (outcome.wrong !== null) await report(run, of, outcome.wrong);
    history.push(of);
    if (history.length > REMEMBERED) history.shift();
    return outcome.refused;
  }

  async function report(run: number, of: Case, wrong: string): Promise<void> {
    tell({ kind: "found", finding: { run, wrong, code: codeOf(of) } });
    const again = (other: Case) => {
      alive();
      return onFresh((engine) => check(polybin, engine, other));
    };
    if ((await again(of)).wrong !== null) {
      const least = await shrunk(of, async (other) => (await again(other)).wrong !== null);
      return tell({
        kind: "found",
        finding: { run, wrong: (await again(least)).wrong!, code: codeOf(least) },
      });
    }
    // A fresh engine is right, so the answer depends on an earlier call.
    for (const before of history.toReversed()) {
      alive();
      const isWrong = (first: Case, then: Case) =>
        onFresh(async (engine) => {
          alive();
          await check(polybin, engine, first);
          return (await check(polybin, engine, then)).wrong;
        });
      if ((await isWrong(before, of)) === null) continue;
      const first = await shrunk(before, async (other) => (await isWrong(other, of)) !== null);
      const least = await shrunk(of, async (other) => (await isWrong(first, other)) !== null);
      const code = `${codeOf(first)}\n// and then on the same engine\n${codeOf(least)}`;
      return tell({ kind: "found", finding: { run, wrong: (await isWrong(first, least))!, code } });
    }
  }

  port.on("message", async ({ from, to, without }: Task) => {
    const refused: Record<string, number> = {};
    for (let run = from; run < to; run++) {
      if (without.includes(run)) continue;
      Atomics.store(beat, 0, run);
      alive();
      const code = await one(run);
      if (code !== null) refused[code] = (refused[code] ?? 0) + 1;
    }
    tell({ kind: "done", cases: to - from, refused });
  });
}
