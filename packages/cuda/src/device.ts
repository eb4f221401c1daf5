import { type Extent, PolybinError, type Resident } from "@polybin/core";
import {
  type CellsJob,
  type CountJob,
  type Device,
  type DeviceLimits,
  type Input,
  type JobOf,
  type Kind,
  type LookupSize,
  type Lowering,
  lookupSizeOf,
  type Plan,
  type Prepared,
  type PreparedCells,
  type PreparedOf,
  type Preparers,
  preparedBy,
  type ResidentCounts,
  type ResidentTable,
  type RunOptions,
  rowBytes,
  type Samples,
  type SegmentsInputs,
  type SegmentsJob,
  type SumsJob,
  type TableValues,
} from "@polybin/core/backend";
import { CALLS_AT_ONCE, JOINT_CELLS } from "./base/index.ts";
import type { Context } from "./border/index.ts";
import {
  CudaResident,
  CudaRows,
  CudaTable,
  type ResidentPart,
  type ResidentRowsPart,
  type ResidentTablePart,
  splitFeatures,
  withShares,
} from "./memory/index.ts";
import { coded } from "./platform/index.ts";
import {
  CudaCounter,
  countJoint,
  dispatchExtent,
  dispatchSegments,
  dispatchSums,
  Lane,
  leaveSegments,
  onShares,
  prepareJoint,
  prepareSegments,
  prepareSums,
  readRows,
  refusesSums,
  shapeOf,
  talk,
} from "./run/index.ts";

/** Memory of one device. */
interface Held {
  readonly device: number;
  readonly id: number;
}

/** Optional means of a device, in addition to its contexts. */
export interface DeviceMeans {
  /** Whether to measure the time of every call. */
  readonly timed?: boolean;
  /** Allocates page-locked memory with arbitrary content. */
  readonly pinned?: (bytes: number) => ArrayBuffer;
}

function zeroed(pinned: (bytes: number) => ArrayBuffer, bytes: number): ArrayBuffer {
  try {
    const memory = pinned(bytes);
    new Uint8Array(memory).fill(0);
    return memory;
  } catch (error) {
    throw coded(error);
  }
}

/** CUDA devices as an engine uses them: one, or several that each count a part of the samples. */
export class CudaDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  readonly readsFiles = true;
  readonly kinds: readonly Kind[] = ["channels", "segments", "cells", "sums"];
  readonly callsAtOnce: number = CALLS_AT_ONCE;
  /** One lane per device. */
  readonly #lanes: readonly Lane[];
  /** Frees the memory of residents that were collected without `free`. */
  readonly #forgotten: FinalizationRegistry<readonly Held[]>;
  /** Does the same for rows of counts. */
  readonly #forgottenRows: FinalizationRegistry<readonly Held[]>;

  readonly #timed: boolean;
  readonly #preparers: Preparers = {
    channels: (job) => this.#channels(job),
    segments: (job) => this.#segments(job),
    cells: (job) => this.#cells(job),
    sums: (job) => this.#sums(job),
  };

  /** Allocates page-locked memory. Samples in it are copied to the device at the bus's full speed. */
  readonly allocate?: (bytes: number) => ArrayBuffer;

  /** `limits` are those of each device. */
  constructor(
    name: string,
    limits: DeviceLimits,
    contexts: readonly Context[],
    { timed = false, pinned }: DeviceMeans = {},
  ) {
    this.name = name;
    this.limits = limits;
    this.#timed = timed;
    if (pinned !== undefined) this.allocate = (bytes) => zeroed(pinned, bytes);
    this.#lanes = contexts.map((context) => new Lane(context));
    this.#forgotten = new FinalizationRegistry((parts) => void this.#free(parts).catch(() => {}));
    this.#forgottenRows = new FinalizationRegistry((parts) => void this.#freeRows(parts).catch(() => {}));
  }

  lookupSizeOf(lowering: Lowering): LookupSize | null {
    return lookupSizeOf(lowering, this.limits);
  }

  upload(samples: Samples, options: RunOptions): Promise<Resident> {
    return this.#upload({ kind: "samples", samples }, samples, options);
  }

  async #upload(
    input: Input,
    shape: Pick<Samples, "type" | "channels" | "pixels">,
    options: RunOptions,
  ): Promise<Resident> {
    const parts: ResidentPart[] = [];
    try {
      await withShares(input, this.#lanes.length, (shares) =>
        onShares(this.#lanes, shares, options, async (context, { device, source }, control) => {
          parts.push({ device, pixels: source.pixels, id: await context.upload({ source, control }) });
        }),
      );
    } catch (error) {
      await this.#free(parts);
      throw error;
    }
    const resident = new CudaResident(shape, parts, (of, rest) => {
      this.#forgotten.unregister(of);
      return this.#free(rest);
    });
    this.#forgotten.register(resident, parts, resident);
    return resident;
  }

  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K> {
    return preparedBy(this.#preparers, job);
  }

  #channels(job: CountJob): Prepared {
    return new CudaCounter(this.#lanes, job, this.#timed);
  }

  #segments(job: SegmentsJob): PreparedOf<"segments"> {
    const prepared = prepareSegments(job, this.#lanes.length);
    return {
      launch: prepared.launch,
      count: (inputs, options) => dispatchSegments(this.#lanes, prepared, inputs, options, this.#timed),
      leave: (inputs, options) => this.#leave(prepared, inputs, options),
    };
  }

  #cells(job: CellsJob): PreparedCells {
    const prepared = prepareJoint(job, this.#lanes.length, JOINT_CELLS);
    return {
      launch: prepared.launch,
      count: (inputs, options) =>
        countJoint(this.#lanes, prepared, inputs, options, this.#timed, (input, shape) =>
          this.#upload(input, shape, { signal: options.signal }),
        ),
    };
  }

  async #leave(
    prepared: ReturnType<typeof prepareSegments>,
    inputs: SegmentsInputs,
    options: RunOptions,
  ): Promise<ResidentCounts> {
    const parts: ResidentRowsPart[] = [];
    const keep = (part: ResidentRowsPart) => void parts.push(part);
    let timings: ResidentCounts["timings"];
    try {
      timings = await leaveSegments(this.#lanes, prepared, inputs, options, this.#timed, keep);
    } catch (error) {
      await this.#freeRows(parts);
      throw error;
    }
    parts.sort((a, b) => a.first - b.first || a.end - b.end);
    const shape = shapeOf(prepared, inputs.segments);
    const rows = new CudaRows(
      parts,
      timings,
      (of, range, how) => readRows(this.#lanes, of, shape, range, how),
      (of, rest) => {
        this.#forgottenRows.unregister(of);
        return this.#freeRows(rest);
      },
    );
    this.#forgottenRows.register(rows, parts, rows);
    return rows;
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return dispatchExtent(this.#lanes, input, channels, options);
  }

  /** Each device has the rows of some features with all of their documents, so there is nothing to merge. */
  async uploadTable(
    { type, features, documents, bytes }: TableValues,
    options: RunOptions,
  ): Promise<ResidentTable> {
    const row = rowBytes(type, documents);
    const parts: ResidentTablePart[] = [];
    try {
      await talk(
        options,
        splitFeatures(features, this.#lanes.length).map((part) => async (control) => {
          const of = bytes.subarray(part.first * row, (part.first + part.rows) * row);
          const id = await this.#lanes[part.device]!.run(
            (context) => context.uploadTable({ bytes: of, rowBytes: row, control }),
            options.signal,
          );
          parts.push({ ...part, id });
        }),
      );
    } catch (error) {
      await this.#free(parts);
      throw error;
    }
    const table = new CudaTable(parts, (of, rest) => {
      this.#forgotten.unregister(of);
      return this.#free(rest);
    });
    this.#forgotten.register(table, parts, table);
    return table;
  }

  #sums(shape: SumsJob): PreparedOf<"sums"> {
    if (!(shape.table instanceof CudaTable)) {
      throw new PolybinError("ERR_INPUT", "expected a table that this engine uploaded", { backend: "cuda" });
    }
    const prepared = prepareSums(shape, shape.table.parts);
    return {
      launch: prepared.launch,
      count: (weights, options) => dispatchSums(this.#lanes, prepared, weights, shape.timed, options),
    };
  }

  refuses(plan: Plan): string | null {
    return plan.kind === "sums" ? refusesSums(plan) : null;
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.run((context) => context.close())));
  }

  async #free(parts: readonly Held[]): Promise<void> {
    await Promise.all(parts.map(({ device, id }) => this.#lanes[device]!.run((context) => context.free(id))));
  }

  async #freeRows(parts: readonly Held[]): Promise<void> {
    await Promise.all(
      parts.map(({ device, id }) => this.#lanes[device]!.run((context) => context.freeRows(id))),
    );
  }
}
