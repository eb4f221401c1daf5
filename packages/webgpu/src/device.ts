import type { Extent, Resident } from "@polybin/core";
import {
  type CellsJob,
  type ChannelsPart,
  type CountJob,
  type Device,
  type DeviceInput,
  type Input,
  type JobOf,
  joinExtents,
  type Kind,
  type LookupSize,
  type Lowering,
  loadedOnce,
  lookupSizeOf,
  NO_EXTENT,
  type Plan,
  type Prepared,
  type PreparedCells,
  type PreparedOf,
  type Preparers,
  preparedBy,
  type ResidentCounts,
  type ResidentTable,
  type RunOptions,
  type Samples,
  type SegmentsInputs,
  type SegmentsJob,
  type SumsJob,
  type TableValues,
} from "@polybin/core/backend";
import type { WebgpuLimits } from "./base/index.ts";
import { Catalog } from "./kernels/index.ts";
import {
  ANOTHERS,
  Buffers,
  Filler,
  type OwnChunk,
  pitchOf,
  Readbacks,
  Source,
  SpareRows,
  type TablePart,
  tableOf,
  uploadChunks,
  uploadTable,
  WebgpuResident,
  WebgpuTable,
} from "./memory/index.ts";
import { type Hardware, nameOf, ofInput, own } from "./platform/index.ts";
import {
  type Context,
  type CountSteps,
  compile,
  compileSegments,
  count,
  DeviceAccumulator,
  extents,
  freeShared,
  frozen,
  type InLane,
  type JointProgram,
  type JointSteps,
  Kept,
  Lane,
  LateEncodings,
  type Program,
  prepareCount,
  prepareSegments,
  prepareSums,
  ResidentCalls,
  type RowsPart,
  refusesJoint,
  refusesSums,
  residentOf,
  type SegmentsPipelines,
  type SegmentsSteps,
  type SumsPipelines,
  type SumsSteps,
  settled,
} from "./run/index.ts";

const joining = loadedOnce(() => import("./run/joint/index.ts"));
const segmenting = loadedOnce(() => import("./run/segments.ts"));
const leaving = loadedOnce(() => import("./run/leave-segments.ts"));
const downloading = loadedOnce(() => import("./run/download.ts"));
const summing = loadedOnce(() => import("./run/sums.ts"));

/** A WebGPU device as an engine uses it. */
export class WebgpuDevice implements Device {
  readonly name: string;
  readonly limits: WebgpuLimits;
  readonly readsFiles = false;
  readonly encodes = true;
  readonly kinds: readonly Kind[] = ["channels", "segments", "cells", "sums"];
  readonly callsAtOnce: number = own.CALLS_AT_ONCE;
  readonly #hardware: Hardware;
  readonly #catalog: Catalog;
  readonly #context: Context;
  readonly #programs: Kept<CountSteps, Program>;
  readonly #sumsPipelines: Kept<SumsSteps, SumsPipelines>;
  readonly #segmentsPipelines: Kept<SegmentsSteps, SegmentsPipelines>;
  readonly #jointPrograms: Kept<JointSteps, JointProgram>;
  readonly #encodings: LateEncodings;
  readonly #lane = new Lane();
  readonly #residents: ResidentCalls;
  readonly #preparers: Preparers = {
    channels: (job) => this.#channels(job),
    segments: (job) => this.#segments(job),
    cells: (job) => this.#cells(job),
    sums: (job) => this.#sums(job),
  };
  /** Frees the buffers of residents, tables and rows that were collected without `free`. */
  readonly #forgotten = new FinalizationRegistry<readonly OwnChunk[]>(destroy);
  readonly #forgottenTables = new FinalizationRegistry<readonly TablePart[]>(destroyParts);
  readonly #forgottenRows = new FinalizationRegistry<readonly RowsPart[]>(destroyParts);

  constructor(hardware: Hardware, of: WebgpuLimits, catalog: Catalog = new Catalog()) {
    this.name = nameOf(hardware.device.adapterInfo);
    this.limits = of;
    this.#hardware = hardware;
    this.#catalog = catalog;
    const buffers = new Buffers(hardware.device);
    const filler = new Filler(hardware);
    const source = new Source(hardware, filler, buffers.input, of);
    this.#context = {
      ...{ hardware, buffers, filler, source, of },
      readbacks: new Readbacks(hardware.device),
      spareRows: new SpareRows(),
    };
    this.#residents = new ResidentCalls(hardware, this.#lane);
    this.#programs = new Kept((steps) => hardware.watched(compile(hardware, steps)));
    this.#segmentsPipelines = new Kept((steps) => hardware.watched(compileSegments(hardware, steps)));
    this.#jointPrograms = new Kept((steps) =>
      hardware.watched(joining().then(({ compileJoint }) => compileJoint(hardware, steps))),
    );
    this.#sumsPipelines = new Kept((steps) =>
      hardware.watched(summing().then(({ compileSums }) => compileSums(hardware, steps))),
    );
    this.#encodings = new LateEncodings(hardware, this.#programs, of);
  }

  lookupSizeOf(lowering: Lowering): LookupSize | null {
    return lookupSizeOf(lowering, this.limits);
  }

  refuses(plan: Plan): string | null {
    if (plan.kind === "cells") return refusesJoint(plan, this.#catalog, this.limits);
    if (plan.kind === "sums") return refusesSums(plan, this.#catalog, this.limits);
    return this.#catalog.count(plan.algorithm).refuses?.(plan) ?? null;
  }

  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K> {
    return preparedBy(this.#preparers, job);
  }

  /**
   * Runs a call in its turn. A call that fails may leave behind shared buffers that the device refused or that are
   * still mapped, so the next call creates them anew. If the device refuses the user's own memory, the error is
   * ERR_INPUT.
   */
  #run<T>(input: Input["kind"], { signal }: RunOptions, call: () => Promise<T>): Promise<T> {
    return this.#lane.run(async () => {
      try {
        return await call();
      } catch (error) {
        freeShared(this.#context);
        throw input === "external" ? ofInput(error, ANOTHERS) : error;
      }
    }, signal);
  }

  upload(samples: Samples, options: RunOptions): Promise<Resident> {
    return this.#run("samples", options, async () => {
      const chunks: OwnChunk[] = [];
      try {
        await uploadChunks(
          this.#hardware,
          this.#context.source,
          samples,
          this.limits,
          options.signal,
          chunks,
        );
      } catch (error) {
        destroy(chunks);
        throw error;
      }
      const resident = new WebgpuResident(samples, chunks, async (of, freed) => {
        this.#forgotten.unregister(of);
        await this.#lane.run(async () => destroy(freed));
      });
      this.#forgotten.register(resident, chunks, resident);
      return resident;
    });
  }

  download(input: DeviceInput, options: RunOptions): Promise<Samples> {
    return this.#run(input.kind, options, async () => {
      const { download } = await downloading();
      return download(this.#context, input, options);
    });
  }

  /** Prepares a job and starts to compile its kernels. */
  #channels(of: CountJob): Prepared {
    if (of.lowering.kind === "constant") return this.#constant(of);
    const context = this.#context;
    const steps = prepareCount(of, this.#catalog, this.limits);
    this.#programs.get(steps);
    const inLane: InLane = this.#run.bind(this);
    const job = { steps, compiling: () => this.#programs.get(steps) };
    const one = (input: Input, options: RunOptions): Promise<ChannelsPart> =>
      inLane(input.kind, options, () =>
        count(context, steps, job.compiling(), context.source.chunks(input, options.signal), options),
      );
    return {
      launch: steps.launch,
      count: async (input, options) => {
        const resident = residentOf(steps, input, options);
        return resident === null ? one(input, options) : this.#residents.count(job, resident, options);
      },
      countAll: async (inputs, options) => {
        const residents = inputs.map((input) => residentOf(steps, input, options));
        return residents.every((resident) => resident !== null)
          ? this.#residents.countAll(job, residents, options)
          : settled(inputs.map((input) => one(input, options)));
      },
      accumulator: () => new DeviceAccumulator(context, job, inLane),
      // This does not enter the lane, because it shares no buffer with other calls.
      encode: (target, { signal }) => this.#encodings.encode({ ...of, steps }, target, signal),
    };
  }

  /** Prepares a job whose samples all have one code. The engine counts them itself and no kernel reads them. */
  #constant(job: CountJob): Prepared {
    return {
      launch: frozen({ kernels: ["fold"] }),
      count: async () => {
        throw new Error("expected the engine to count samples of one constant code itself");
      },
      encode: (target, { signal }) => this.#encodings.encode({ ...job, steps: null }, target, signal),
    };
  }

  /** Prepares a job of segments and starts to compile its kernel. */
  #segments(of: SegmentsJob): PreparedOf<"segments"> {
    const steps = prepareSegments(of, this.#catalog, this.limits);
    const compiling = () => this.#segmentsPipelines.get(steps);
    compiling();
    return {
      launch: steps.launch,
      count: (inputs, options) =>
        this.#run(inputs.input.kind, options, async () => {
          const { countSegments } = await segmenting();
          return countSegments(this.#context, steps, compiling(), inputs, options);
        }),
      leave: (inputs, options) =>
        this.#run(inputs.input.kind, options, () => this.#leave(steps, compiling(), inputs, options)),
    };
  }

  async #cells(job: CellsJob): Promise<PreparedCells> {
    const { preparedJoint } = await joining();
    return preparedJoint(this.#context, this.#jointPrograms, this.#catalog, this.#run.bind(this), job);
  }

  async #leave(
    steps: SegmentsSteps,
    compiling: Promise<SegmentsPipelines>,
    inputs: SegmentsInputs,
    options: RunOptions,
  ): Promise<ResidentCounts> {
    const { leaveSegments, WebgpuRows } = await leaving();
    const parts: RowsPart[] = [];
    let timings: ResidentCounts["timings"];
    try {
      timings = await leaveSegments(this.#context, steps, compiling, inputs, options, parts);
    } catch (error) {
      destroyParts(parts);
      throw error;
    }
    const rows = new WebgpuRows(this.#hardware, steps, parts, timings, async (of, freed) => {
      this.#forgottenRows.unregister(of);
      await this.#lane.run(async () => {
        for (const { buffer } of freed) this.#context.spareRows.keep(buffer);
      });
    });
    this.#forgottenRows.register(rows, parts, rows);
    return rows;
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return this.#run(input.kind, options, async () => {
      const { signal, onProgress } = options;
      signal?.throwIfAborted();
      let found = NO_EXTENT;
      let done = 0;
      const all = extents(this.#context, input, channels, signal);
      for await (const { extent, pixels } of all) {
        signal?.throwIfAborted();
        found = joinExtents(found, extent);
        done += pixels;
        onProgress?.(done);
      }
      return found;
    });
  }

  uploadTable(values: TableValues, options: RunOptions): Promise<ResidentTable> {
    return this.#run("samples", options, async () => {
      const { signal } = options;
      signal?.throwIfAborted();
      const pitch = pitchOf(values, this.limits);
      const parts: TablePart[] = [];
      try {
        await uploadTable(this.#hardware, this.#context.filler, values, pitch, this.limits, signal, parts);
      } catch (error) {
        destroyParts(parts);
        throw error;
      }
      const table = new WebgpuTable(pitch, parts, async (of, freed) => {
        this.#forgottenTables.unregister(of);
        await this.#lane.run(async () => destroyParts(freed));
      });
      this.#forgottenTables.register(table, parts, table);
      return table;
    });
  }

  /** Prepares weighted sums and starts to compile their kernels. */
  #sums(shape: SumsJob): PreparedOf<"sums"> {
    const { table } = shape;
    const steps = prepareSums(shape, tableOf(table), this.#catalog, this.limits);
    this.#sumsPipelines.get(steps);
    return {
      launch: steps.launch,
      count: (weights, options) =>
        this.#run("samples", options, async () => {
          const { sums } = await summing();
          return sums(this.#context, steps, this.#sumsPipelines.get(steps), table, weights, options);
        }),
    };
  }

  close(): Promise<void> {
    return this.#lane.run(async () => {
      freeShared(this.#context);
      this.#residents.free();
      this.#programs.forget();
      this.#jointPrograms.forget();
      this.#sumsPipelines.forget();
      this.#segmentsPipelines.forget();
      await this.#encodings.close();
      this.#hardware.close();
    });
  }
}

function destroy(chunks: readonly OwnChunk[]): void {
  destroyParts(chunks.map(({ data }) => data));
}

function destroyParts(parts: readonly { readonly buffer: GPUBuffer }[]): void {
  for (const { buffer } of parts) buffer.destroy();
}
