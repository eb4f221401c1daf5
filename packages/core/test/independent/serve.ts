import { parentPort, workerData } from "node:worker_threads";
import type { Case } from "./cases.ts";
import { check, type Outcome, UNJUDGED } from "./check.ts";
import { codeOf } from "./code.ts";
import { caseOf } from "./generate.ts";
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
  | {
      readonly kind: "done";
      readonly cases: number;
      readonly unjudged: number;
      readonly refused: Readonly<Record<string, number>>;
    };

/** Cases before a wrong one among which one is looked for that the engine still remembers. */
const REMEMBERED = 64;

type Engine = Awaited<ReturnType<Polybin["openEngine"]>>;

/**
 * Runs the tasks of a campaign on one engine, and some of their cases on engines of their own.
 * @param fresh the number of cases from one with its own engine to the next
 */
export function serve(polybin: Polybin, open: () => Promise<Engine>, fresh = 16): void {
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

  async function one(run: number): Promise<Outcome | typeof UNJUDGED> {
    const of = caseOf(seed, run);
    kept ??= open();
    const engine = await kept;
    const outcome =
      run % fresh === 0 ? await onFresh((own) => check(polybin, own, of)) : await check(polybin, engine, of);
    if (outcome !== UNJUDGED && outcome.wrong !== null) await report(run, of, outcome.wrong);
    history.push(of);
    if (history.length > REMEMBERED) history.shift();
    return outcome;
  }

  async function report(run: number, of: Case, wrong: string): Promise<void> {
    tell({ kind: "found", finding: { run, wrong, code: codeOf(of) } });
    /** How polybin is wrong about the last of some cases on an engine of their own. */
    const wrongAfter = (...cases: Case[]): Promise<string | null> =>
      onFresh(async (engine) => {
        let last: string | null = null;
        for (const one of cases) {
          alive();
          const outcome = await check(polybin, engine, one);
          last = outcome === UNJUDGED ? null : outcome.wrong;
        }
        return last;
      });
    const found = async (...cases: Case[]) => {
      const how = (await wrongAfter(...cases)) ?? wrong;
      // Several cases run one after the other on one engine, each in a block of its own.
      const code =
        cases.length === 1 ? codeOf(cases[0]!) : cases.map((one) => `{\n${codeOf(one)}\n}`).join("\n");
      tell({ kind: "found", finding: { run, wrong: how, code } });
    };
    if ((await wrongAfter(of)) !== null) {
      return found(await shrunk(of, async (other) => (await wrongAfter(other)) !== null));
    }
    // A fresh engine is right, so the answer depends on an earlier call.
    for (const before of history.toReversed()) {
      if ((await wrongAfter(before, of)) === null) continue;
      const first = await shrunk(before, async (other) => (await wrongAfter(other, of)) !== null);
      return found(first, await shrunk(of, async (other) => (await wrongAfter(first, other)) !== null));
    }
  }

  port.on("message", async ({ from, to, without }: Task) => {
    const refused: Record<string, number> = {};
    let unjudged = 0;
    for (let run = from; run < to; run++) {
      if (without.includes(run)) continue;
      Atomics.store(beat, 0, run);
      alive();
      const outcome = await one(run);
      if (outcome === UNJUDGED) unjudged++;
      else if (outcome.refused !== null) refused[outcome.refused] = (refused[outcome.refused] ?? 0) + 1;
    }
    tell({ kind: "done", cases: to - from, unjudged, refused });
  });
}
