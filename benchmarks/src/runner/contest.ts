import type { Row } from "./row.ts";
import { median, percentOf, throughput } from "./statistics.ts";

/** What a row says of its cell, beside what is measured; without `peer` it is our own. */
export type RowHead = Omit<Row, "peer" | "exact" | "ms" | "callMs" | "gbps" | "ceilingPercent"> &
  Partial<Pick<Row, "peer" | "exact">>;

/** One cell, ours or a peer's: what is called, what is wrong with what comes, and what its row says. */
export interface Contest<Found = unknown> {
  call(): Promise<Found>;
  /** What is wrong with a result; null: nothing. */
  wrong(of: Found): Promise<string | null>;
  /** Milliseconds that count; `ms`: the call's on this process's clock. */
  time(of: Found, ms: number): number;
  /** Milliseconds of the whole call, where both are told. */
  callTime?(of: Found): number;
  /** The call as a program makes it, which asks for no times: measured beside, it is the whole call's time. */
  plain?(): Promise<unknown>;
  row(of: Found): RowHead;
  /** Of the data. */
  readonly bytes: number;
  /** What is added up, of a feature table. */
  readonly values?: number;
  /** GB/s that are possible; null: that is not known. */
  readonly ceiling: number | null;
}

/** A contest on the device of a bench; where its row names no backend, it is the device's. */
export interface DeviceContest<Found> extends Omit<Contest<Found>, "row"> {
  row(of: Found): Omit<RowHead, "backend"> & Partial<Pick<RowHead, "backend">>;
  /** Rounds at the most; default the bench's. */
  readonly most?: number;
  /** Bytes of memory that the process has held at the most, asked for after the first call. */
  peak?(): number | undefined;
  /** Runs after the comparison that are not measured. */
  readonly warm?: number;
  /** Is the device idle for most of a call? Then it is kept busy until the next one. */
  readonly sparse?: boolean;
}

/** A result that is not the oracle's. */
export class NotExact extends Error {
  constructor(what: string) {
    super(`NOT EXACT: ${what}`);
  }
}

/** A contest, and every run that was timed. What is not exact is not timed, and of what is not exact afterwards no row is made. */
export class Timed<Found> {
  readonly contest: Contest<Found>;
  /** In order. */
  readonly ms: number[] = [];
  readonly #callMs: number[] = [];
  #last: Found;

  private constructor(contest: Contest<Found>, first: Found) {
    this.contest = contest;
    this.#last = first;
  }

  /** Calls once, and compares. @throws NotExact */
  static async gated<Found>(contest: Contest<Found>): Promise<Timed<Found>> {
    const first = await contest.call();
    const wrong = await contest.wrong(first);
    if (wrong !== null) throw new NotExact(wrong);
    return new Timed(contest, first);
  }

  /** Calls once without a clock; milliseconds by its own. */
  async warm(): Promise<number> {
    const start = performance.now();
    this.#last = await this.contest.call();
    return this.contest.time(this.#last, performance.now() - start);
  }

  /** Calls once; milliseconds. */
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

  /** Compares the last run's result, too. @throws NotExact */
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
