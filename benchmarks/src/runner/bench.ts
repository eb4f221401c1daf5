import { cpu, type Engine, openEngine } from "@polybin/core";
import { copyToCuda } from "../ceilings/cuda.ts";
import { pixelBytes, type Tile } from "../data/tile.ts";
import { Awake } from "./awake.ts";
import { type Contest, type Head, Timed } from "./contest.ts";
import { type Cell, counting, kernelMs, type Loaded, loadedOn, residentRow } from "./count.ts";
import { movedRow } from "./moved.ts";
import { nameOf } from "./names.ts";
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
  readonly pictures?: string | undefined;
}

/** A contest on the device of a bench. */
export interface DeviceContest<Result> extends Contest<Result> {
  /** The most rounds. Default: the bench's. */
  readonly most?: number | undefined;
  /** Returns the peak memory of the process in bytes. It is read after the first call. */
  peak?(): number | undefined;
  /** Unmeasured runs after the comparison. */
  readonly warm?: number;
  /** Whether the device is idle for most of a call. It is then kept busy until the next one. */
  readonly sparse?: boolean;
}

/** The engines and the report of a bench. */
interface Setup {
  readonly target: Target;
  readonly engine: Engine;
  /** The CPU's engine, which gives the exact counts. */
  readonly oracle: Engine;
  readonly report: Report;
}

/** Measures the cells of one device in sequence, so that it stays awake, and knows its ceilings. */
export class Bench {
  readonly target: Target;
  readonly engine: Engine;
  readonly oracle: Engine;
  readonly report: Report;
  readonly options: BenchOptions;
  readonly #start: number = performance.now();
  readonly #ceilings = new Map<number, number | null>();
  readonly #copies = new Map<string, number | null>();
  readonly #awake: Awake;
  #host: Uint8Array = new Uint8Array(0);

  constructor({ target, engine, oracle, report }: Setup, options: BenchOptions) {
    this.target = target;
    this.engine = engine;
    this.oracle = oracle;
    this.report = report;
    this.options = options;
    this.#awake = new Awake(target, engine, options.bytes);
  }

  /** Whether time for another cell is left. Reports a missing cell if not. */
  hasTime(what: string): boolean {
    if (this.secondsLeft > 0) return true;
    this.report.miss(`${what}: the ${this.options.budget} s were used up`);
    return false;
  }

  get secondsLeft(): number {
    return Math.max(0, this.options.budget - (performance.now() - this.#start) / 1000);
  }

  /** Calls until a device that was idle has its full clock rate again. */
  async warmUp(call: () => Promise<unknown>): Promise<void> {
    await this.#awake.warmUp(call, WARM);
    this.#awake.worked();
  }

  /** Keeps the device awake between calls that leave it idle. */
  between(): Promise<void> {
    return this.#awake.between();
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

  /** Measures cells on data of a shape. Without time for another cell, it makes no data. */
  async measureEach(
    on: Pick<Loaded, "shape" | "distribution">,
    tile: () => Tile,
    pixels: number,
    cells: readonly Cell[],
    place?: (cell: Cell, i: number) => Partial<Head>,
  ): Promise<Row[]> {
    if (this.secondsLeft === 0) {
      for (const [i, cell] of cells.entries())
        this.hasTime(cellName(residentRow({ ...on, pixels }, cell, place?.(cell, i))));
      return [];
    }
    await using data = await this.load(tile(), pixels);
    const rows: Row[] = [];
    for (const [i, cell] of cells.entries()) {
      const row = await this.measure(data, cell, place?.(cell, i));
      if (row !== null) rows.push(row);
    }
    return rows;
  }

  /** Measures a cell on resident data by the time of its kernels. @param place fields of its row */
  async measure(
    loaded: Loaded,
    cell: Cell,
    place: Partial<Head> = {},
    engine: Engine = this.engine,
  ): Promise<Row | null> {
    const { resident, bytes } = loaded;
    const row = residentRow(loaded, cell, place);
    const what = cellName(row);
    if (!this.hasTime(what)) return null;
    return this.contest(what, {
      ...counting({
        ...{ row, bytes, time: kernelMs, ceiling: await this.ceiling(bytes) },
        truth: () => loaded.truth(cell),
        call: () => engine.histograms(resident, { ...cell, timings: true }),
      }),
      plain: () => engine.histograms(resident, cell),
    });
  }

  /** Compares with the exact result, warms up and measures. Results that are not exact are not measured. */
  async contest<Result>(what: string, of: DeviceContest<Result>): Promise<Row | null> {
    const { cellSeconds = CELL_SECONDS, leastRounds = LEAST_ROUNDS } = this.options;
    let peakBytes: number | undefined;
    try {
      const timed = await Timed.gated<Result>({
        ...of,
        row: { backend: this.engine.backend, ...of.row },
        more: (found) => ({ ...of.more?.(found), peakBytes }),
        wrong: (found) => {
          peakBytes ??= of.peak?.();
          return of.wrong(found);
        },
      });
      await this.#awake.warmUp(of.call, of.warm ?? WARM);
      const start = performance.now();
      while (timed.ms.length < (of.most ?? this.options.rounds)) {
        if (timed.ms.length >= leastRounds && performance.now() - start > cellSeconds * 1000) break;
        if (of.sparse) await this.#awake.between();
        await timed.run();
      }
      this.#awake.worked();
      return this.report.add(await timed.row());
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
        .map(({ variant, blocks, ms }) =>
          movedRow("read", bytes, ms, { variant: `${variant}, ${blocks} blocks` }),
        )
        .toSorted((a, b) => b.gbps - a.gbps);
      for (const row of every ? all : all.slice(0, 1)) this.report.add(row);
      this.#ceilings.set(bytes, all[0]!.gbps);
    } catch (error) {
      this.report.miss(`read ceiling of ${bytes} bytes: ${(error as Error).message}`);
      this.#ceilings.set(bytes, null);
    }
    return this.#ceilings.get(bytes)!;
  }

  /** Measures once a plain copy of this number of bytes to an NVIDIA GPU, and adds its row. Returns GB/s; null if it failed. */
  async copyCeiling(bytes: number, memory: "pinned" | "pageable", rounds: number): Promise<number | null> {
    const known = this.#copies.get(`${bytes} ${memory}`);
    if (known !== undefined) return known;
    let gbps: number | null = null;
    try {
      const ms = await copyToCuda(bytes, rounds, memory);
      gbps = this.report.add(movedRow("copy", bytes, ms, { memory, residence: "upload" })).gbps;
    } catch (error) {
      this.report.missOnce(`plain copy from ${memory} memory: ${(error as Error).message}`);
    }
    this.#copies.set(`${bytes} ${memory}`, gbps);
    return gbps;
  }
}

function cellName(row: Head): string {
  return `${nameOf({ backend: null, peer: null, ...row })} on ${row.type} ${row.distribution}, n = ${row.n}`;
}

/** Opens a target and the oracle for a bench. @param reportFor makes the report of a device */
export async function withBench(
  target: Target,
  options: BenchOptions,
  reportFor: (device: string) => Report,
  use: (bench: Bench) => Promise<unknown>,
): Promise<void> {
  await using engine = await openEngine({ backend: target.timed() });
  await using oracle = await openEngine({ backend: cpu() });
  await use(new Bench({ target, engine, oracle, report: reportFor(engine.device) }, options));
}
