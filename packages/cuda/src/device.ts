import { type Extent, PolybinError, type Resident } from "@polybin/core";
import {
  type CountJob,
  type Device,
  type DeviceLimits,
  type FeatureSums,
  type Input,
  joinExtents,
  limits,
  NO_EXTENT,
  type Partial,
  type ResidentTable,
  type RunOptions,
  rowBytes,
  SAMPLE_TYPES,
  type Samples,
  type SumsJob,
  type SumsPartial,
  type TableValues,
  valueOfKey,
  type WeightedPlan,
} from "@polybin/core/backend";
import { Lane } from "./lane.ts";
import { nativeLowering } from "./lowering.ts";
import type { Context } from "./native.ts";
import { nativePlan } from "./plan.ts";
import { CudaResident, type ResidentPart } from "./resident.ts";
import { withSamples, withShares } from "./source.ts";
import {
  CudaTable,
  launchesFor,
  placeSums,
  type ResidentTablePart,
  refusesSums,
  splitFeatures,
} from "./sums.ts";
import { talk } from "./talk.ts";

/** Memory of one device. */
interface Held {
  readonly device: number;
  readonly id: number;
}

/** CUDA devices as an engine uses them: one, or several that each count a part of the samples. */
export class CudaDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  readonly readsFiles = true;
  /** One a device. */
  readonly #lanes: readonly Lane[];
  /** Frees the memory of residents that were forgotten. */
  readonly #forgotten: FinalizationRegistry<readonly Held[]>;

  /** `limits`: of each of the devices. */
  constructor(name: string, limits: DeviceLimits, contexts: readonly Context[]) {
    this.name = name;
    this.limits = limits;
    this.#lanes = contexts.map((context) => new Lane(context));
    this.#forgotten = new FinalizationRegistry((parts) => void this.#free(parts).catch(() => {}));
  }

  async upload(samples: Samples, options: RunOptions): Promise<Resident> {
    const parts: ResidentPart[] = [];
    try {
      await withSamples(samples, this.#lanes.length, (shares) =>
        talk(
          options,
          shares.map(({ device, source }) => async (control) => {
            const id = await this.#lanes[device]!.run(
              (context) => context.upload({ source, control }),
              options.signal,
            );
            parts.push({ device, pixels: source.pixels, id });
          }),
        ),
      );
    } catch (error) {
      await this.#free(parts);
      throw error;
    }
    const resident = new CudaResident(samples, parts, (of, rest) => {
      this.#forgotten.unregister(of);
      return this.#free(rest);
    });
    this.#forgotten.register(resident, parts, resident);
    return resident;
  }

  async count(job: CountJob, options: RunOptions): Promise<Partial> {
    const { plan, channels } = job;
    const all = await withShares(job.input, this.#lanes.length, (shares, { type, interleaved }) => {
      const of = {
        wanted: { type: SAMPLE_TYPES.indexOf(type), interleaved, channels },
        lowering: nativeLowering(job.lowering, plan),
        plan: nativePlan(plan),
        algorithm: plan.algorithm,
        launchPixels: plan.chunkSamples,
      };
      return talk(
        options,
        shares.map(
          ({ device, source }) =>
            (control) =>
              this.#lanes[device]!.run(
                (context) => context.count({ ...of, source, control }),
                options.signal,
              ),
        ),
      );
    });
    const size = plan.cells + limits.FLOW_ROWS;
    const [counts = new Float64Array(size * channels.length), ...others] = all.map((part) => part.counts);
    for (const other of others) for (let i = 0; i < counts.length; i++) counts[i]! += other[i]!;
    return {
      channels: channels.map((_, i) => ({
        cells: counts.subarray(i * size, i * size + plan.cells),
        flow: counts.subarray(i * size + plan.cells, (i + 1) * size),
      })),
      // All devices work at once: what the longest takes.
      timings: {
        readMs: 0,
        uploadMs: Math.max(0, ...all.map(({ uploadMs }) => uploadMs)),
        kernelMs: Math.max(0, ...all.map(({ kernelMs }) => kernelMs)),
      },
    };
  }

  async extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return withShares(input, this.#lanes.length, async (shares, { type, interleaved }) => {
      const wanted = { type: SAMPLE_TYPES.indexOf(type), interleaved, channels };
      const all = await talk(
        options,
        shares.map(
          ({ device, source }) =>
            (control) =>
              this.#lanes[device]!.run(
                (context) => context.extent({ source, wanted, control }),
                options.signal,
              ),
        ),
      );
      // A part without a finite sample has a minimum above its maximum, and neither is a key of the type.
      return all
        .filter(({ min, max }) => min <= max)
        .map(({ min, max }) => ({ min: valueOfKey(type, min), max: valueOfKey(type, max) }))
        .reduce(joinExtents, NO_EXTENT);
    });
  }

  /** Each device has the rows of some features, and all their documents: nothing is to be merged. */
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

  async sums(job: SumsJob, options: RunOptions): Promise<SumsPartial> {
    if (!(job.table instanceof CudaTable)) {
      throw new PolybinError("ERR_INPUT", "expected a table that this engine uploaded", { backend: "cuda" });
    }
    const { weights, squares, documents: list, timed } = job;
    const work = job.table.parts
      .map((part) => ({ part, of: launchesFor(job, part) }))
      .filter(({ of }) => of.launches.length > 0);
    const all = await talk(
      options,
      work.map(
        ({ part, of }) =>
          (control) =>
            this.#lanes[part.device]!.run(
              (context) =>
                context.sums({
                  table: part.id,
                  documents: weights.length,
                  weights,
                  squares,
                  list,
                  launches: of.launches,
                  timed,
                  control,
                }),
              options.signal,
            ),
      ),
    );
    const features: FeatureSums[] = [];
    for (const [i, { of }] of work.entries()) placeSums(features, of, all[i]!, timed);
    return {
      features,
      timings: {
        readMs: 0,
        uploadMs: Math.max(0, ...all.map(({ uploadMs }) => uploadMs)),
        kernelMs: Math.max(0, ...all.map(({ kernelMs }) => kernelMs)),
      },
    };
  }

  refusesSums(plan: WeightedPlan): string | null {
    return refusesSums(plan);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.run((context) => context.close())));
  }

  async #free(parts: readonly Held[]): Promise<void> {
    await Promise.all(parts.map(({ device, id }) => this.#lanes[device]!.run((context) => context.free(id))));
  }
}
