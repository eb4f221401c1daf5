import type { Row } from "./row.ts";
import { median, percentOf, throughput } from "./statistics.ts";

/** The part of a row that describes its cell. Without `peer` it is our own. */
export type Head = Pick<Row, "algorithm" | "type" | "n" | "distribution" | "residence"> & Partial<Row>;

/** One cell, ours or a peer's: its call, the check of its result, and its row. */
export interface Contest<Result = unknown> {
  /** Without a backend, the row gets that of the bench. */
  readonly row: Head;
  /** Returns the fields of the row that follow from a result. */
  more?(of: Result): Partial<Row>;
  /** Size of the data. */
  readonly bytes: number;
  /** Number of values that a feature table adds. */
  readonly values?: number;
  /** Ceiling in GB/s; null if not known, which is the default. */
  readonly ceiling?: number | null;
  /** Runs once before the first call. */
  start?(): Promise<void>;
  call(): Promise<Result>;
  /** Describes what is wrong with a result; null if nothing is. */
  wrong(of: Result): Promise<string | null>;
  /** Returns the milliseconds that count. Default: `ms`, the call's time on this process's clock. */
  time?(of: Result, ms: number): number;
  /** Returns the milliseconds of the whole call, if a result reports both. */
  callTime?(of: Result): number | undefined;
  /** Calls as a program does, without asking for times. It is measured in addition, as the time of the whole call. */
  plain?(): Promise<unknown>;
}

/** A result that differs from the oracle's. */
export class NotExact extends Error {
  constructor(what: string) {
    super(`NOT EXACT: ${what}`);
  }
}

/** A contest with all timed runs. It is timed only if its first result is exact, and gets a row only if its last one is, too. */
export class Timed<Result = unknown> {
  readonly contest: Contest<Result>;
  /** Milliseconds of the runs, in order. */
  readonly ms: number[] = [];
  readonly #callMs: number[] = [];
  #last: Result;

  private constructor(contest: Contest<Result>, first: Result) {
    this.contest = contest;
    this.#last = first;
  }

  /** Calls once and compares the result. @throws NotExact */
  static async gated<Result>(contest: Contest<Result>): Promise<Timed<Result>> {
    await contest.start?.();
    const first = await contest.call();
    const wrong = await contest.wrong(first);
    if (wrong !== null) throw new NotExact(wrong);
    return new Timed(contest, first);
  }

  /** Calls once and returns its milliseconds without recording them. */
  async warm(): Promise<number> {
    const start = performance.now();
    this.#last = await this.contest.call();
    const ms = performance.now() - start;
    return this.contest.time?.(this.#last, ms) ?? ms;
  }

  /** Calls once, records its milliseconds and returns them. */
  async run(): Promise<number> {
    const ms = await this.warm();
    this.ms.push(ms);
    const { callTime, plain } = this.contest;
    const callMs = callTime?.(this.#last);
    if (callMs !== undefined) this.#callMs.push(callMs);
    if (plain) {
      const start = performance.now();
      await plain();
      this.#callMs.push(performance.now() - start);
    }
    return ms;
  }

  /** Compares the last run's result and makes the row. @throws NotExact */
  async row(): Promise<Row> {
    const { contest, ms } = this;
    const changed = await contest.wrong(this.#last);
    if (changed !== null) throw new NotExact(`in the last round: ${changed}`);
    const { bytes, values, ceiling = null } = contest;
    const gbps = throughput(bytes, ms);
    const row = {
      ...{ backend: null, peer: null, exact: true, ...contest.row, ...contest.more?.(this.#last), ms },
      callMs: this.#callMs.length > 0 ? this.#callMs : undefined,
      gbps,
      valuesPerSecond: values === undefined ? undefined : (values / median(ms)) * 1000,
      ceilingPercent: percentOf(gbps, ceiling),
    };
    return row as Row;
  }
}
