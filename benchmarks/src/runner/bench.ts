import type { Engine } from "@polybin/core";
import { copyToCuda } from "../ceilings/cuda.ts";
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

/** Unmeasured runs after the one that is compared with the exact counts. */
const WARM = 2;
/** The minimum number of rounds, and the default seconds after which a cell stops if it has had them. */
const LEAST_ROUNDS = 3;
const CELL_SECONDS = 1;

/** Options of every suite. */
export interface BenchOptions {
  readonly rounds: number;
  /** Seconds after which no further cell begins. */
  readonly budget: number;
  /** Bytes of data, for suites with a single size. */
  readonly bytes: number;
  /** Calls of each kind, for the suite with millions of them. */
  readonly calls?: number;
  /** Seconds of measuring per cell, once it has had its minimum of rounds. Default: 1. */
  readonly cellSeconds?: number;
  /** The minimum number of rounds of a cell. Default: 3. */
  readonly leastRounds?: number;
  /** Folder of photographs for the suite that measures them. */
  readonly pictures?: string;
}

/** Measures the cells of one device in sequence, so that it stays awake, and knows its ceilings. */
export class Bench {
  readonly target: Target;
  readonly engine: Engine;
  /** The CPU's engine, which gives the exact counts. */
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

  /** Whether time for another cell is left. Reports a missing cell if not. */
  hasTime(what: string): boolean {
    if (performance.now() - this.#start < this.options.budget * 1000) return true;
    this.report.miss(`${what}: the ${this.options.budget} s were used up`);
    return false;
  }

  /** Calls until a device that was idle has its full clock rate again. */
  async warmUp(call: () => Promise<unknown>): Promise<void> {
    await this.#awake.warmUp(call, WARM, false);
    this.#awake.worked();
  }

  /** Keeps the device awake between calls that leave it idle. */
  between(): Promise<void> {
    return this.#awake.between();
  }

  get secondsLeft(): number {
    return Math.max(0, this.options.budget - (performance.now() - this.#start) / 1000);
  }

  /** Returns `bytes` bytes of host memory, page-locked if the target can. The next call may return the same memory. */
  host(bytes: number): Uint8Array {
    if (this.#host.length < bytes) {
      // Lets the old memory be freed before the new one is allocated.
      this.#host = new Uint8Array(0);
      this.#host = this.target.memory(bytes);
    }
    return this.#host.subarray(0, bytes);
  }

  /** Uploads `pixels` pixels to an engine's device. */
  load(tile: Tile, pixels: number, engine: Engine = this.engine): Promise<Loaded> {
    const memory = this.host(pixels * pixelBytes(tile.shape));
    return loadedOn(engine, this.oracle, tile, tile.lay(memory, pixels), pixels);
  }

  /** Measures a cell on resident data by the time of its kernels. */
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
      time: (timings) => timings!.kernelMs,
      plain: () => engine.histograms(resident, cell),
      row: residentRow(loaded, cell, place),
      bytes,
      ceiling: await this.ceiling(bytes),
    });
  }

  /** Measures a call that counts. */
  rounds(what: string, of: CountContest): Promise<Row | null> {
    return this.contest(what, counted(of));
  }

  /** Compares with the exact result, warms up and measures. Results that are not exact are not measured. */
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

  /** Measures once how fast the device can read this number of bytes, in GB/s. With `every`, adds a row for each way to read. */
  async ceiling(bytes: number, every = false): Promise<number | null> {
    const known = this.#ceilings.get(bytes);
    if (known !== undefined) return known;
    // A software device reads at the speed of the CPU.
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

  /** Measures a plain copy of this number of bytes to an NVIDIA GPU, and adds its row. Returns GB/s; null if it failed. */
  async copyCeiling(bytes: number, memory: "pinned" | "pageable", rounds: number): Promise<number | null> {
    try {
      const ms = await copyToCuda(bytes, rounds, memory);
      const row = movedRow({ peer: "copy", memory, bytes, residence: "upload", ms, ceilingPercent: 100 });
      this.report.add(row);
      return row.gbps;
    } catch (error) {
      this.report.missOnce(`plain copy from ${memory} memory: ${(error as Error).message}`);
      return null;
    }
  }
}
