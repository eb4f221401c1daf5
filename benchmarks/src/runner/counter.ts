import { type Counter, type Engine, type Histogram, isPolybinError } from "@polybin/core";
import { type Counted, difference, type Truth } from "../data/tile.ts";
import { type Caller, callAgain } from "./calls.ts";
import type { Call, Row } from "./row.ts";

/** A way to call a counter. */
export interface Way {
  readonly call: Exclude<Call, "segments" | "segments left">;
  /** Number of calls in flight at once, of inputs of one `countAll`, or of calls of `accumulate` before one `take`. */
  readonly inFlight?: number;
}

/** The data of a cell and its exact counts. */
export interface CounterCell {
  readonly engine: Engine;
  readonly counter: Counter<Histogram>;
  /** Options with which `engine.histogram` counts the same. */
  readonly options: NonNullable<Parameters<Engine["histogram"]>[1]>;
  readonly input: Parameters<Counter<Histogram>["count"]>[0];
  readonly bytes: number;
  readonly ceiling?: number | null;
  truth(): Promise<Truth>;
  readonly row: Omit<Row, "peer" | "exact" | "ms" | "callMs" | "gbps" | "ceilingPercent">;
}

/** Returns why a counter cannot count this synchronously; null if it can. */
export function refusesSync(counter: Counter<Histogram>, input: CounterCell["input"]): string | null {
  try {
    counter.countSync(input);
    return null;
  } catch (error) {
    if (isPolybinError(error) && error.code === "ERR_UNSUPPORTED") return error.message;
    throw error;
  }
}

/** Whether an engine can count synchronously. */
export async function countsSync(engine: Engine): Promise<boolean> {
  await using counter = await engine.prepare({ type: "u8" });
  return refusesSync(counter, new Uint8Array(1)) === null;
}

/** Makes a caller that calls a counter in one way. */
export function callerOf(cell: CounterCell, { call, inFlight = 1 }: Way): Caller {
  const { counter, engine, options, input, bytes, truth, ceiling = null } = cell;
  let found: unknown;
  const together = <T>(of: () => T): T[] => Array.from({ length: inFlight }, of);
  // Results are compared later, so that only the clock runs between two calls.
  const ways: Readonly<Record<Way["call"], () => unknown>> = {
    histogram: () => (found = engine.histogram(input, options)),
    count:
      inFlight === 1
        ? () => (found = counter.count(input))
        : () => (found = Promise.all(together(() => counter.count(input)))),
    countSync: () => {
      found = counter.countSync(input);
    },
    countAll: () => (found = counter.countAll(together(() => input))),
    // A backend may only queue an addition. `take` waits for all of them, so the time ends with counts on the host.
    accumulate: async () => {
      for (let i = 0; i < inFlight; i++) await counter.accumulate(input);
      found = await counter.take();
    },
  };
  const once = ways[call];
  return {
    name: [cell.engine.backend, call, inFlight, `n = ${cell.row.n}`, cell.row.distribution].join(" "),
    row: { ...cell.row, call, ...(inFlight === 1 ? {} : { inFlight }) },
    bytes,
    ceiling,
    burst: (most, seconds) => callAgain(once, most, seconds, inFlight),
    wrong: async () => {
      const one = await truth();
      const right = call === "accumulate" ? one.map((of) => scaled(of, inFlight)) : one;
      const all = [await found].flat() as Histogram[];
      const wrong = all.map((of) => difference(right, [of])).find((words) => words !== null);
      return wrong ?? null;
    },
  };
}

function scaled({ counts, underflow, overflow, nan }: Counted, times: number): Counted {
  return {
    counts: Array.from(counts, (count) => count * times),
    underflow: underflow * times,
    overflow: overflow * times,
    nan: nan * times,
  };
}
