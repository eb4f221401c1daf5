import { type Head, NotExact } from "./contest.ts";
import { cellName } from "./names.ts";
import type { Report } from "./report.ts";
import type { Call, Row } from "./row.ts";
import { percentOf, quantile, throughput } from "./statistics.ts";

/** A function of ours or of a peer that is called repeatedly. */
export interface Caller {
  /** The head of its row. `call` names the kind of call. */
  readonly row: Head & Pick<Row, "backend" | "bins"> & { readonly call: Call };
  /** Size of the data that one call counts. */
  readonly bytes: number;
  /** Ceiling in GB/s. Default: not known. */
  readonly ceiling?: number | null;
  /** Calls at least once, at most `most` times and for at most `seconds` seconds. Returns the milliseconds of each call. */
  burst(most: number, seconds: number): Promise<readonly number[]>;
  /** Describes what is wrong with the last result; null if nothing is. */
  wrong(): Promise<string | null>;
}

/** How long callers are measured. */
export interface Pace {
  /** The most measured calls of each caller. */
  readonly most: number;
  /** The most seconds of each caller, without warming up. */
  readonly seconds: number;
  /** Number of turns. A fast caller finds its memory and tables cold at the start of each. */
  readonly turns: number;
  /** The most calls at the start of each burst that are not measured. Default: a few, which find cold caches. */
  readonly lead?: number;
  /** Runs before a burst, to keep a device awake. */
  readonly before?: () => Promise<void>;
}

/** Share of a cell's seconds, and number of calls, for warming up. */
const WARM_SHARE = 0.3;
const WARM_CALLS = 2000;
/** First calls of a burst, which find other callers' data in the caches. They are dropped if more calls follow. */
const COLD_CALLS = 3;
/** Significant digits kept of a call's time. */
const DIGITS = 4;

/**
 * Measures calls one by one, on the caller's clock. Callers alternate, so that noise of the machine affects all alike. Each
 * is compared with the exact counts before and after. A caller that fails is excluded and reported; the others continue.
 * @returns a row for each caller, null for an excluded one
 */
export async function measureCalls(
  report: Report,
  callers: readonly Caller[],
  { most, seconds, turns, lead = COLD_CALLS, before }: Pace,
): Promise<(Row | null)[]> {
  const all = callers.map((of) => ({ of, ms: [] as number[], error: null as Error | null }));
  const each = async (step: (of: Caller, ms: number[]) => Promise<void>) => {
    for (const turn of all) {
      if (turn.error !== null) continue;
      try {
        await step(turn.of, turn.ms);
      } catch (error) {
        turn.error = error as Error;
      }
    }
  };
  const compare = async (of: Caller, when: string) => {
    const wrong = await of.wrong();
    if (wrong !== null) throw new NotExact(`${when}${wrong}`);
  };
  await each(async (of) => {
    const [first] = await of.burst(1, 0);
    await compare(of, "");
    // A call that takes the time of all others has warmed up.
    if (first! > seconds * 1000) return;
    await before?.();
    await of.burst(WARM_CALLS, seconds * WARM_SHARE);
  });
  for (let round = 0; round < turns; round++) {
    await each(async (of, ms) => {
      await before?.();
      const each = Math.ceil(most / turns);
      const taken = await of.burst(each + lead, seconds / turns);
      ms.push(...taken.slice(Math.max(Math.min(COLD_CALLS, taken.length - 1), taken.length - each)));
    });
  }
  await each((of) => compare(of, "in the last call: "));
  return all.map(({ of, ms, error }) => {
    if (error === null) return report.add(rowOf(of, ms));
    report.lose(cellName({ peer: null, ...of.row }), error, of.row.peer);
    return null;
  });
}

function rowOf({ row, bytes, ceiling = null }: Caller, times: readonly number[]): Row {
  const ms = times.map((one) => Number(one.toPrecision(DIGITS)));
  const gbps = throughput(bytes, ms);
  const p99 = quantile(ms, 0.99);
  return { peer: null, exact: true, ...row, ms, p99, gbps, ceilingPercent: percentOf(gbps, ceiling) };
}

/**
 * Calls repeatedly in this process. Waits for promises only, because waiting for a finished result alone would take as
 * long as a small call. Calls once if `seconds` is 0.
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
