import { NotExact, type RowHead } from "./contest.ts";
import type { Report } from "./report.ts";
import type { Call, Row } from "./row.ts";
import { percentOf, quantile, throughput } from "./statistics.ts";

/** Who is called again and again, ours or a peer. */
export interface Caller {
  /** What its row says; `call` is how it is called. */
  readonly row: RowHead & { readonly call: Call };
  /** In words. */
  readonly name: string;
  /** Of the data that one call counts. */
  readonly bytes: number;
  /** GB/s that are possible; default not known. */
  readonly ceiling?: number | null;
  /** Calls at most so many times, for at most so many seconds but once at least; milliseconds of each call. */
  burst(most: number, seconds: number): Promise<readonly number[]>;
  /** What is wrong with what the last call found; null: nothing. */
  wrong(): Promise<string | null>;
}

/** How long it goes on. */
export interface Pace {
  /** Measured calls of each at most. */
  readonly most: number;
  /** Seconds of each at most, without warming up. */
  readonly seconds: number;
  /** Turns that all take; who is quick finds its memory and tables cold at the start of each. */
  readonly turns: number;
  /** Before a burst: keeps a device awake. */
  readonly before?: () => Promise<void>;
}

/** Of a cell's seconds, what warming up may take, and calls. */
const WARM_SHARE = 0.3;
const WARM_CALLS = 2000;
/** Calls of a burst that find what others left in the caches, and are not measured where more come. */
const COLD_CALLS = 3;
/** Digits that are kept of a call's time. */
const DIGITS = 4;

/** One that is in, for as long as it works. */
interface Turn {
  readonly of: Caller;
  readonly ms: number[];
  error: Error | null;
}

/**
 * Measures calls one by one, on the caller's clock. All take turns, so that a noisy machine is so to all; each is compared
 * with the truth before and after. Who fails is out, and told in the report, and the others go on.
 * @returns a row for each, null for one that is out
 */
export async function measureCalls(
  report: Report,
  callers: readonly Caller[],
  { most, seconds, turns, before }: Pace,
): Promise<(Row | null)[]> {
  const all = callers.map((of): Turn => ({ of, ms: [], error: null }));
  const each = async (step: (turn: Turn) => Promise<void>) => {
    for (const turn of all) {
      if (turn.error !== null) continue;
      try {
        await step(turn);
      } catch (error) {
        turn.error = error as Error;
      }
    }
  };
  await each(async ({ of }) => {
    await of.burst(1, 0);
    await compare(of, "");
    await before?.();
    await of.burst(WARM_CALLS, seconds * WARM_SHARE);
  });
  for (let round = 0; round < turns; round++) {
    await each(async ({ of, ms }) => {
      await before?.();
      const taken = await of.burst(Math.ceil(most / turns) + COLD_CALLS, seconds / turns);
      ms.push(...taken.slice(Math.min(COLD_CALLS, taken.length - 1)));
    });
  }
  await each(({ of }) => compare(of, "in the last call: "));
  return all.map(({ of, ms, error }) => {
    if (error === null) {
      const row = rowOf(of, ms);
      report.add(row);
      return row;
    }
    if (of.row.peer) report.miss(`${of.name}: ${error.message}`);
    else report.lose(of.name, error);
    return null;
  });
}

async function compare(of: Caller, when: string): Promise<void> {
  const wrong = await of.wrong();
  if (wrong !== null) throw new NotExact(`${when}${wrong}`);
}

function rowOf({ row, bytes, ceiling = null }: Caller, times: readonly number[]): Row {
  const ms = times.map((one) => Number(one.toPrecision(DIGITS)));
  const gbps = throughput(bytes, ms);
  return {
    peer: null,
    exact: true,
    ...row,
    ms,
    p99: quantile(ms, 0.99),
    gbps,
    ceilingPercent: percentOf(gbps, ceiling),
  };
}

/**
 * Calls here, in this process. What returns before it is done is waited for; what is done when it returns is not, which
 * alone would take as long as a small call. Without time once.
 */
export async function callAgain(
  call: () => unknown,
  most: number,
  seconds: number,
  calls = 1,
): Promise<number[]> {
  const ms: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let stop = 0; ms.length < most; ) {
    const start = performance.now();
    const made = call();
    if (made instanceof Promise) await made;
    stop = performance.now();
    ms.push((stop - start) / calls);
    if (stop >= end) break;
  }
  return ms;
}
