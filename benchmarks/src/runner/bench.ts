import type { Engine } from "@polybin/core";
import { pixelBytes, type Tile } from "../data/tile.ts";
import { Awake } from "./awake.ts";
import { movedRow } from "./ceiling.ts";
import { type DeviceContest, Timed } from "./contest.ts";
import {
  type Cell,
  type CountContest,
  counted,
  type Loaded,
  loadedOn,
  type Place,
  residentRow,
  variantOf,
} from "./count.ts";
import type { Report } from "./report.ts";
import type { Row } from "./row.ts";
import type { Target } from "./target.ts";

/** Runs that are not measured, beside the one that is compared with the truth. */
const WARM = 2;
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

/** Measures the cells of one device, one after the other, so that it stays awake; knows what it can do at most. */
export class Bench {
  readonly target: Target;
  readonly engine: Engine;
  /** The CPU's engine, which says what is true. */
  readonly oracle: Engine;
  readonly report: Report;
  readonly options: BenchOptions;
  readonly #start: number = performance.now();
  readonly #ceilings = new Map<number, number | null>();
  readonly #awake: Awake;
  #host: Uint8Array = new Uint8Array(0);

  constructor(target: Target, engine: Engine, oracle: Engine, report: Report, options: BenchOptions) {
    this.target = target;
    this.engine = engine;
    this.oracle = oracle;
    this.report = report;
    this.options = options;
    this.#awake = new Awake(target, engine, options.bytes);
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
  load(tile: Tile, pixels: number, engine: Engine = this.engine): Promise<Loaded> {
    const memory = this.host(pixels * pixelBytes(tile.shape));
    return loadedOn(engine, this.oracle, tile, tile.lay(memory, pixels), pixels);
  }

  /** Measures a cell on resident data, by the time that its kernels take. */
  async measure(
    loaded: Loaded,
    cell: Cell,
    place: Place = {},
    engine: Engine = this.engine,
  ): Promise<Row | null> {
    const { resident, shape, pixels, bytes, distribution } = loaded;
    const named = [cell.algorithm, place.variant ?? variantOf(cell)].join(" ").trim();
    const what = `${named} on ${place.type ?? shape.type} ${distribution}, n = ${pixels}`;
    if (!this.hasTime(what)) return null;
    return this.rounds(what, {
      truth: () => loaded.truth(cell),
      call: () => engine.histograms(resident, { ...cell, timings: true }),
      time: ({ kernelMs }) => kernelMs,
      callTime: ({ totalMs }) => totalMs,
      row: residentRow(loaded, cell, place),
      bytes,
      ceiling: await this.ceiling(bytes),
    });
  }

  /** The same for a call that counts. */
  rounds(what: string, of: CountContest): Promise<Row | null> {
    return this.contest(what, counted(of));
  }

  /** Compares, warms up, and measures; what is not exact is not measured. */
  async contest<Found>(what: string, of: DeviceContest<Found>): Promise<Row | null> {
    const { cellSeconds = CELL_SECONDS, leastRounds = LEAST_ROUNDS } = this.options;
    let peak: number | undefined;
    try {
      const timed = await Timed.gated<Found>({
        ...of,
        wrong: (found) => {
          peak ??= of.peak?.();
          return of.wrong(found);
        },
        row: (found) => ({
          backend: this.engine.backend,
          ...of.row(found),
          ...(peak === undefined ? {} : { peakBytes: peak }),
        }),
      });
      await this.#awake.warmUp(of.call, of.warm ?? WARM, of.sparse ?? false);
      const start = performance.now();
      while (timed.ms.length < (of.most ?? this.options.rounds)) {
        if (timed.ms.length >= leastRounds && performance.now() - start > cellSeconds * 1000) break;
        if (of.sparse) await this.#awake.between();
        await timed.run();
      }
      this.#awake.worked();
      const found = await timed.row();
      this.report.add(found);
      return found;
    } catch (error) {
      this.report.lose(what, error as Error);
      return null;
    }
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
        .map(({ variant: name, blocks, ms }) => {
          const variant = `${name}, ${blocks} blocks`;
          return movedRow({ peer: "read", variant, bytes, residence: "resident", ms, ceilingPercent: 100 });
        })
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
