import { type Engine, type HistogramOptions, integer, type Resident, type Slug } from "@polybin/core";
import { type Counted, difference, pixelBytes, type Shape, type Tile, type Truth } from "../data/tile.ts";
import type { Report } from "./report.ts";
import { median, percentOf, type Row, throughput } from "./result.ts";
import type { Target } from "./target.ts";

/** Runs that are not measured, beside the one that is compared with the truth. */
const WARM = 2;
/** A device that idled for longer than this lowers its clock, and takes longer under work the longer it idled. */
const IDLE_MS = 20;
const WAKE_MS = [300, 2000] as const;
/** What keeps a device awake between calls that leave it idle, and how long before each. */
const AWAKE_BYTES = 2 ** 28;
const AWAKE_AXIS = integer(0, 256);
const AWAKE_MS = 40;
/** Rounds that even a slow cell goes through, and the seconds after which it stops at that, unless told otherwise. */
const LEAST_ROUNDS = 3;
const CELL_SECONDS = 1;

/** What may be asked of every suite. */
export interface BenchOptions {
  readonly rounds: number;
  /** Seconds after which no further cell begins. */
  readonly budget: number;
  /** Bytes of data, for the suites that have one size. */
  readonly bytes: number;
  /** Seconds that a cell is measured for, if it has had its least rounds; default 1. */
  readonly cellSeconds?: number;
  /** Rounds that even a slow cell goes through; default 3. */
  readonly leastRounds?: number;
}

/** One thing to measure. */
export interface Cell extends HistogramOptions {
  readonly algorithm: Slug;
  /** Channels to count; default all. */
  readonly channels?: readonly number[];
}

/** Data on the device. */
export interface Loaded extends AsyncDisposable {
  readonly resident: Resident;
  readonly shape: Shape;
  readonly distribution: string;
  readonly pixels: number;
  readonly bytes: number;
  truth(cell: Cell): Promise<Truth>;
}

/** Where a row stands that is no resident cell of one device. */
export type Place = Partial<
  Pick<Row, "type" | "device" | "variant" | "residence" | "memory" | "devices" | "rowSumEfficiency">
>;

/** What all suites share: data on the device, the exactness gate, warm-up, rounds, medians, the ceiling. */
export class Bench {
  readonly target: Target;
  readonly engine: Engine;
  /** The CPU's engine, which says what is true. */
  readonly oracle: Engine;
  readonly report: Report;
  readonly options: BenchOptions;
  readonly #start: number = performance.now();
  readonly #ceilings = new Map<number, number | null>();
  #host: Uint8Array = new Uint8Array(0);
  /** When the device last worked. */
  #busyAt = 0;
  #awake: Resident | null = null;

  constructor(target: Target, engine: Engine, oracle: Engine, report: Report, options: BenchOptions) {
    this.target = target;
    this.engine = engine;
    this.oracle = oracle;
    this.report = report;
    this.options = options;
  }

  /** Is there time for another cell? Says so where there is none. */
  hasTime(what: string): boolean {
    if (performance.now() - this.#start < this.options.budget * 1000) return true;
    this.report.miss(`${what}: the ${this.options.budget} s were used up`);
    return false;
  }

  get secondsLeft(): number {
    return Math.max(0, this.options.budget - (performance.now() - this.#start) / 1000);
  }

  /** Host memory of at least so many bytes, page-locked where the target can; the next call may hand out the same. */
  host(bytes: number): Uint8Array {
    if (this.#host.length < bytes) {
      // The old memory may go before the new one comes.
      this.#host = new Uint8Array(0);
      this.#host = this.target.memory(bytes);
    }
    return this.#host.subarray(0, bytes);
  }

  /** Puts `pixels` pixels on an engine's device. */
  async load(tile: Tile, pixels: number, engine: Engine = this.engine): Promise<Loaded> {
    const { shape, name } = tile;
    const bytes = pixels * pixelBytes(shape);
    const data = tile.lay(this.host(bytes), pixels);
    const resident = await engine.upload({ data, channels: shape.channels });
    const truths = new Map<string, Promise<Truth>>();
    return {
      resident,
      shape,
      distribution: name,
      pixels,
      bytes,
      truth: ({ axis, bins, channels }) => {
        const key = JSON.stringify([axis, bins, channels]);
        const known =
          truths.get(key) ?? tile.counts(this.oracle, pixels, questionOf({ axis, bins, channels }));
        truths.set(key, known);
        return known;
      },
      [Symbol.asyncDispose]: () => resident.free(),
    };
  }

  /** Measures a cell on resident data, by the time that its kernels take. */
  async measure(
    loaded: Loaded,
    cell: Cell,
    place: Place = {},
    engine: Engine = this.engine,
  ): Promise<Row | null> {
    const { resident, shape, pixels, bytes, distribution } = loaded;
    const call = () => engine.histograms(resident, cell);
    const variant = place.variant ?? variantOf(cell);
    const what = `${[cell.algorithm, variant].join(" ").trim()} on ${place.type ?? shape.type} ${distribution}, n = ${pixels}`;
    if (!this.hasTime(what)) return null;
    const ceiling = await this.ceiling(bytes);
    return this.rounds(what, {
      truth: () => loaded.truth(cell),
      call,
      time: ({ kernelMs }) => kernelMs,
      callTime: ({ totalMs }) => totalMs,
      row: {
        algorithm: cell.algorithm,
        type: shape.type,
        n: pixels,
        distribution,
        residence: "resident",
        ...(variant === "" ? {} : { variant }),
        ...place,
      },
      bytes,
      ceiling,
    });
  }

  /** The same for a call that counts. */
  rounds(what: string, { truth, time, callTime, row, ...rest }: CountContest): Promise<Row | null> {
    return this.contest(what, {
      ...rest,
      wrong: async (found) => difference(await truth(), found),
      time: (found) => time(found[0]!.timings!),
      ...(callTime ? { callTime: (found: readonly Found[]) => callTime(found[0]!.timings!) } : {}),
      row: (found) => ({ ...row, bins: found[0]!.bins }),
    });
  }

  /** Compares, warms up, and measures; what is not exact is not measured. */
  async contest<Found>(what: string, of: Contest<Found>): Promise<Row | null> {
    try {
      const first = await of.call();
      const peak = of.peak?.();
      const wrong = await of.wrong(first);
      if (wrong !== null) {
        this.report.miss(`${what}: NOT EXACT: ${wrong}`);
        process.exitCode = 1;
        return null;
      }
      await this.#warmUp(of);
      const [ms, callMs]: [number[], number[]] = [[], []];
      const { cellSeconds = CELL_SECONDS, leastRounds = LEAST_ROUNDS } = this.options;
      const start = performance.now();
      let last = first;
      while (ms.length < (of.most ?? this.options.rounds)) {
        if (ms.length >= leastRounds && performance.now() - start > cellSeconds * 1000) break;
        if (of.sparse) await this.#keepAwake(AWAKE_MS);
        last = await of.call();
        ms.push(of.time(last));
        if (of.callTime) callMs.push(of.callTime(last));
      }
      this.#busyAt = performance.now();
      const changed = await of.wrong(last);
      if (changed !== null) {
        this.report.miss(`${what}: NOT EXACT in the last round: ${changed}`);
        process.exitCode = 1;
        return null;
      }
      const gbps = throughput(of.bytes, ms);
      const row: Row = {
        backend: this.engine.backend,
        peer: null,
        exact: true,
        ...of.row(last),
        ms,
        ...(of.callTime ? { callMs } : {}),
        gbps,
        ...(of.values === undefined ? {} : { valuesPerSecond: (of.values / median(ms)) * 1000 }),
        ceilingPercent: percentOf(gbps, of.ceiling),
        ...(peak === undefined ? {} : { peakBytes: peak }),
      };
      this.report.add(row);
      return row;
    } catch (error) {
      this.report.miss(`${what}: ${(error as Error).message}`);
      return null;
    }
  }

  async #warmUp({
    call,
    warm = WARM,
    sparse,
  }: Pick<Contest<unknown>, "call" | "warm" | "sparse">): Promise<void> {
    const start = performance.now();
    const idleMs = start - this.#busyAt;
    const [least, most] = WAKE_MS;
    const idled = idleMs > IDLE_MS && !this.target.software;
    const wakeMs = warm > 0 && idled ? Math.min(most, Math.max(least, idleMs)) : 0;
    if (sparse) await this.#keepAwake(wakeMs);
    for (let i = 0; i < warm || performance.now() - start < wakeMs; i++) await call();
  }

  /**
   * Counts bytes for so long. A device that has little to do, a millisecond in thirty, lowers its clock to a fifth after a
   * second or so, and the kernels of calls that mostly work on the host would be measured with that.
   */
  async #keepAwake(ms: number): Promise<void> {
    if (!this.target.sleeps) return;
    const start = performance.now();
    this.#awake ??= await this.engine.upload(new Uint8Array(Math.min(AWAKE_BYTES, this.options.bytes)));
    while (performance.now() - start < ms) await this.engine.histogram(this.#awake, { axis: AWAKE_AXIS });
  }

  /** How fast so many bytes can be read at all, in GB/s, measured once; with `every`, rows of all ways to read. */
  async ceiling(bytes: number, every = false): Promise<number | null> {
    const known = this.#ceilings.get(bytes);
    if (known !== undefined) return known;
    // It reads what the CPU reads.
    if (this.target.software) return null;
    try {
      const rows = await this.target.readRows(bytes, this.options.rounds);
      const all = rows
        .map(({ variant, blocks, ms }) => ceilingRow(`${variant}, ${blocks} blocks`, bytes, ms))
        .toSorted((a, b) => b.gbps - a.gbps);
      for (const row of every ? all : all.slice(0, 1)) this.report.add(row);
      this.#ceilings.set(bytes, all[0]!.gbps);
    } catch (error) {
      this.report.miss(`read ceiling of ${bytes} bytes: ${(error as Error).message}`);
      this.#ceilings.set(bytes, null);
    }
    return this.#ceilings.get(bytes)!;
  }
}

/** What a call found, ours or a peer's. */
interface Found extends Counted {
  readonly bins: number;
  readonly timings: Timings | null;
}

interface Timings {
  readonly kernelMs: number;
  readonly totalMs: number;
}

/** A call that is measured. */
export interface Contest<Result> {
  call(): Promise<Result>;
  /** What is wrong with a result; null: nothing. */
  wrong(of: Result): Promise<string | null>;
  /** Milliseconds that count. */
  time(of: Result): number;
  /** Milliseconds of the whole call, where both are told. */
  callTime?(of: Result): number;
  /** What the row says, beside what is measured. */
  row(
    of: Result,
  ): Omit<Row, "backend" | "peer" | "exact" | "ms" | "gbps" | "ceilingPercent"> &
    Partial<Pick<Row, "backend" | "peer" | "exact">>;
  readonly bytes: number;
  /** What is added up, of a feature table. */
  readonly values?: number;
  readonly ceiling: number | null;
  /** Rounds at the most; default the bench's. */
  readonly most?: number;
  /** Bytes of memory that the process has held at the most, asked for after the first call. */
  peak?(): number | undefined;
  /** Runs after the comparison that are not measured. */
  readonly warm?: number;
  /** Is the device idle for most of a call? Then it is kept busy until the next one. */
  readonly sparse?: boolean;
}

/** A call that counts, and the counts that are right. */
export interface CountContest extends Omit<Contest<readonly Found[]>, "wrong" | "time" | "callTime" | "row"> {
  truth(): Promise<Truth>;
  time(timings: Timings): number;
  callTime?(timings: Timings): number;
  readonly row: Pick<Row, "algorithm" | "type" | "n" | "distribution" | "residence"> &
    Place & { readonly backend?: null; readonly peer?: string };
}

function ceilingRow(variant: string, bytes: number, ms: readonly number[]): Row {
  return {
    backend: null,
    algorithm: null,
    peer: "read",
    variant,
    type: "u8",
    bins: 0,
    n: bytes,
    distribution: "any",
    residence: "resident",
    ms,
    gbps: throughput(bytes, ms),
    ceilingPercent: 100,
    exact: true,
  };
}

function questionOf({
  axis,
  bins,
  channels,
}: { [name in "axis" | "bins" | "channels"]: Cell[name] | undefined }) {
  return {
    ...(axis === undefined ? {} : { axis }),
    ...(bins === undefined ? {} : { bins }),
    ...(channels === undefined ? {} : { channels }),
  };
}

/** A cell's parameters, in words. */
function variantOf({ k, collisions, merge, layout }: Cell): string {
  return [k === undefined ? undefined : `k=${k}`, collisions, merge, layout].filter(Boolean).join(" ");
}
