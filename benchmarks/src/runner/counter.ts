import { type Counter, type Engine, type Histogram, isPolybinError } from "@polybin/core";
import { type ChannelCounts, difference, type Truth } from "../data/tile.ts";
import { type Caller, callAgain } from "./calls.ts";
import type { Call } from "./row.ts";

/** A way to call a counter. */
export interface Way {
  readonly call: Exclude<Call, "segments" | "segments left">;
  /** Number of calls in flight at once, of inputs of one `countAll`, or of calls of `accumulate` before one `take`. */
  readonly inFlight?: number;
}

/** The ways in which many calls are made together. */
export const TOGETHER: readonly Way[] = [
  { call: "histogram" },
  { call: "accumulate", inFlight: 8 },
  { call: "count", inFlight: 8 },
  { call: "count", inFlight: 128 },
  { call: "countAll", inFlight: 256 },
];

/** Whether this number of calls together would only wait for the kernels, or for results that do not fit. */
export function isTooMuch({ call, inFlight = 1 }: Way, bytes: number, most: number): boolean {
  return inFlight > 8 && bytes > (call === "countAll" ? most / 4 : most);
}

/** The data of a cell and its exact counts. */
export interface CounterCell extends Pick<Caller, "bytes" | "ceiling"> {
  readonly engine: Engine;
  readonly counter: Counter<Histogram>;
  /** Options with which `engine.histogram` counts the same. */
  readonly options: NonNullable<Parameters<Engine["histogram"]>[1]>;
  readonly input: Parameters<Counter<Histogram>["count"]>[0];
  truth(): Promise<Truth>;
  readonly row: Omit<Caller["row"], "call">;
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
    row: { ...cell.row, call, inFlight: inFlight === 1 ? undefined : inFlight },
    bytes,
    ceiling,
    burst: (most, seconds) => callAgain(once, most, seconds, inFlight),
    wrong: async () => {
      const one = await truth();
      const right = call === "accumulate" ? one.map((of) => scaled(of, inFlight)) : one;
      const all = [await found].flat() as Histogram[];
      return all.map((of) => difference(right, [of])).find((words) => words !== null) ?? null;
    },
  };
}

function scaled({ counts, underflow, overflow, nan }: ChannelCounts, times: number): ChannelCounts {
  const [below, above, none] = [underflow, overflow, nan].map((count) => count * times);
  return {
    counts: Array.from(counts, (count) => count * times),
    underflow: below!,
    overflow: above!,
    nan: none!,
  };
}
