import type { Row } from "./row.ts";
import { median, percentOf, throughput } from "./statistics.ts";

/** The part of a row that describes its cell, without measurements. Without `peer` it is our own. */
export type RowHead = Omit<Row, "peer" | "exact" | "ms" | "callMs" | "gbps" | "ceilingPercent"> &
  Partial<Pick<Row, "peer" | "exact">>;

/** One cell, ours or a peer's: its call, the check of its result, and its row. */
export interface Contest<Found = unknown> {
  call(): Promise<Found>;
  /** Describes what is wrong with a result; null if nothing is. */
  wrong(of: Found): Promise<string | null>;
  /** Returns the milliseconds that count. `ms` is the call's time on this process's clock. */
  time(of: Found, ms: number): number;
  /** Returns the milliseconds of the whole call, if a result reports both. */
  callTime?(of: Found): number;
  /** Calls as a program does, without asking for times. It is measured in addition, as the time of the whole call. */
  plain?(): Promise<unknown>;
  row(of: Found): RowHead;
  /** Size of the data. */
  readonly bytes: number;
  /** Number of values that a feature table adds. */
  readonly values?: number;
  /** Ceiling in GB/s; null if not known. */
  readonly ceiling: number | null;
}

/** A contest on the device of a bench. A row without a backend gets the device's. */
export interface DeviceContest<Found> extends Omit<Contest<Found>, "row"> {
  row(of: Found): Omit<RowHead, "backend"> & Partial<Pick<RowHead, "backend">>;
  /** The most rounds. Default: the bench's. */
  readonly most?: number;
  /** Returns the peak memory of the process in bytes. It is read after the first call. */
  peak?(): number | undefined;
  /** Unmeasured runs after the comparison. */
  readonly warm?: number;
  /** Whether the device is idle for most of a call. It is then kept busy until the next one. */
  readonly sparse?: boolean;
}

/** A result that differs from the oracle's. */
export class NotExact extends Error {
  constructor(what: string) {
    super(`NOT EXACT: ${what}`);
  }
}

/** A contest with all timed runs. It is timed only if its first result is exact, and gets a row only if its last one is, too. */
export class Timed<Found> {
  readonly contest: Contest<Found>;
  /** Milliseconds of the runs, in order. */
  readonly ms: number[] = [];
  readonly #callMs: number[] = [];
  #last: Found;

  private constructor(contest: Contest<Found>, first: Found) {
    this.contest = contest;
    this.#last = first;
  }

  /** Calls once and compares the result. @throws NotExact */
  static async gated<Found>(contest: Contest<Found>): Promise<Timed<Found>> {
    const first = await contest.call();
    const wrong = await contest.wrong(first);
    if (wrong !== null) throw new NotExact(wrong);
    return new Timed(contest, first);
  }

  /** Calls once and returns its milliseconds without recording them. */
  async warm(): Promise<number> {
    const start = performance.now();
    this.#last = await this.contest.call();
    return this.contest.time(this.#last, performance.now() - start);
  }

  /** Calls once, records its milliseconds and returns them. */
  async run(): Promise<number> {
    const ms = await this.warm();
    this.ms.push(ms);
    const { callTime, plain } = this.contest;
    if (callTime) this.#callMs.push(callTime(this.#last));
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
    const { bytes, values, ceiling } = contest;
    const gbps = throughput(bytes, ms);
    return {
      peer: null,
      exact: true,
      ...contest.row(this.#last),
      ms,
      ...(this.#callMs.length > 0 ? { callMs: this.#callMs } : {}),
      gbps,
      ...(values === undefined ? {} : { valuesPerSecond: (values / median(ms)) * 1000 }),
      ceilingPercent: percentOf(gbps, ceiling),
    };
  }
}
