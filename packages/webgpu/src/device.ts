import type { Extent, Plan, Resident } from "@polybin/core";
import {
  type CountJob,
  type Device,
  type EncodeJob,
  type Input,
  joinExtents,
  limits,
  NO_EXTENT,
  type Partial,
  type ResidentTable,
  type RunOptions,
  type Samples,
  type SumsJob,
  type SumsPartial,
  type TableValues,
  type WeightedPlan,
} from "@polybin/core/backend";
import { Buffers, padded } from "./buffers.ts";
import type { WebgpuLimits } from "./capabilities.ts";
import { Chain } from "./chain.ts";
import { Encodings } from "./encodings.ts";
import { ofInput } from "./errors.ts";
import { extents } from "./extent.ts";
import { ANOTHERS } from "./external.ts";
import { Filler } from "./filler.ts";
import { USAGE } from "./flags.ts";
import type { Hardware } from "./hardware.ts";
import { Lane } from "./lane.ts";
import { nameOf } from "./name.ts";
import { countsOf, programFor } from "./program.ts";
import { type OwnChunk, WebgpuResident } from "./resident.ts";
import { pixelBytesOf, Source, shapeOf } from "./source.ts";
import { sums } from "./sums.ts";
import { refusesSums } from "./sums-launches.ts";
import { pitchOf, type TablePart, uploadTable, WebgpuTable } from "./table.ts";

/** A WebGPU device as an engine uses it. */
export class WebgpuDevice implements Device {
  readonly name: string;
  readonly limits: WebgpuLimits;
  readonly readsFiles = false;
  readonly #hardware: Hardware;
  readonly #buffers: Buffers;
  readonly #filler: Filler;
  readonly #source: Source;
  readonly #encodings: Encodings;
  readonly #lane = new Lane();
  /** Frees the buffers of residents that were forgotten. */
  readonly #forgotten = new FinalizationRegistry<readonly OwnChunk[]>(destroy);
  /** The same of tables. */
  readonly #forgottenTables = new FinalizationRegistry<readonly TablePart[]>(destroyParts);

  constructor(hardware: Hardware, of: WebgpuLimits) {
    this.name = nameOf(hardware.device.adapterInfo);
    this.limits = of;
    this.#hardware = hardware;
    this.#buffers = new Buffers(hardware.device);
    this.#encodings = new Encodings(hardware, of);
    this.#filler = new Filler(hardware);
    this.#source = new Source(hardware, this.#filler, this.#buffers.input, of);
  }

  refuses({ algorithm, collisions }: Plan): string | null {
    return algorithm === "per-warp" && collisions === "tag"
      ? "per-warp keeps lanes apart by tags only where a warp runs in lock-step, and WGSL knows no warps"
      : null;
  }

  /**
   * A call in its turn. Whatever it fails of, it may leave buffers that the device refused, or that are mapped: the
   * shared ones are made anew for the next call. A user's own memory that the device refuses is the user's to mend.
   */
  #run<T>(input: Input["kind"], { signal }: RunOptions, call: () => Promise<T>): Promise<T> {
    return this.#lane.run(async () => {
      try {
        return await call();
      } catch (error) {
        this.#free();
        throw input === "external" ? ofInput(error, ANOTHERS) : error;
      }
    }, signal);
  }

  #free(): void {
    this.#filler.free();
    this.#buffers.free();
  }

  upload(samples: Samples, options: RunOptions): Promise<Resident> {
    return this.#run("samples", options, async () => {
      const chunks: OwnChunk[] = [];
      try {
        const pixelBytes = pixelBytesOf(samples);
        const { chunkBytes, chunkSamples } = this.limits;
        const room = Math.floor((chunkBytes - limits.GPU_PADDING_BYTES) / pixelBytes);
        const most = Math.min(room, chunkSamples);
        const aligned = most - (most % limits.WEBGPU_ALIGN_PIXELS);
        for (let first = 0; first < samples.pixels; first += aligned) {
          const pixels = Math.min(aligned, samples.pixels - first);
          const { value: buffer, errors } = this.#hardware.scoped(() =>
            this.#hardware.device.createBuffer({
              size: padded(pixels * pixelBytes),
              usage: USAGE.STORAGE | USAGE.COPY_DST,
            }),
          );
          chunks.push({ data: { buffer }, pixels });
          await errors;
          await this.#source.fill(samples, first, pixels, buffer, options.signal);
        }
        await this.#hardware.watched(this.#hardware.device.queue.onSubmittedWorkDone());
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

  count(job: CountJob, options: RunOptions): Promise<Partial> {
    return this.#run(job.input.kind, options, () => this.#count(job, options));
  }

  async #count(job: CountJob, { signal, onProgress }: RunOptions): Promise<Partial> {
    signal?.throwIfAborted();
    const { plan, channels } = job;
    const { interleaved } = shapeOf(job.input);
    // Samples are on their way while kernels are compiled.
    const compiling = this.#hardware.watched(
      programFor(this.#hardware, { ...job, interleaved }, this.limits),
    );
    compiling.catch(() => {});
    const chain = new Chain(this.#hardware, this.#buffers, compiling, job);
    const queued: Promise<void>[] = [];
    let done = 0;
    let isOver = false;
    try {
      for await (const chunk of this.#source.chunks(job.input, signal)) {
        signal?.throwIfAborted();
        await chain.count(chunk);
        if (chunk.last) break;
        const finished = this.#hardware.watched(this.#hardware.device.queue.onSubmittedWorkDone());
        queued.push(
          finished.then(() => {
            done += chunk.pixels;
            if (!isOver) onProgress?.(done);
          }),
        );
        queued.at(-1)!.catch(() => {});
        if (queued.length >= limits.WEBGPU_PIECES) await queued.shift();
        signal?.throwIfAborted();
      }
      await Promise.all(queued);
    } finally {
      // What was submitted before an abort ends later, and nobody is to hear of it.
      isOver = true;
    }
    await chain.read();
    const size = countsOf(plan);
    return {
      channels: channels.map((_, i) => ({
        cells: chain.totals.subarray(i * size, i * size + plan.cells),
        flow: chain.totals.subarray(i * size + plan.cells, (i + 1) * size),
      })),
      timings: { readMs: 0, uploadMs: 0, kernelMs: chain.kernelMs },
    };
  }

  /** Not in the lane: it shares no buffer with other calls. */
  encode(job: EncodeJob, { signal }: RunOptions): Promise<void> {
    return this.#encodings.encode(job, signal);
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return this.#run(input.kind, options, async () => {
      const { signal, onProgress } = options;
      signal?.throwIfAborted();
      let found = NO_EXTENT;
      let done = 0;
      const all = extents(this.#hardware, this.#buffers, this.#source, input, channels, this.limits, signal);
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
        await uploadTable(this.#hardware, this.#filler, values, pitch, this.limits, signal, parts);
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

  sums(job: SumsJob, options: RunOptions): Promise<SumsPartial> {
    const context = {
      hardware: this.#hardware,
      buffers: this.#buffers,
      filler: this.#filler,
      of: this.limits,
    };
    return this.#run("samples", options, () => sums(context, job, options));
  }

  refusesSums(plan: WeightedPlan): string | null {
    return refusesSums(plan, this.limits);
  }

  close(): Promise<void> {
    return this.#lane.run(async () => {
      this.#free();
      this.#encodings.close();
      this.#hardware.close();
    });
  }
}

function destroy(chunks: readonly OwnChunk[]): void {
  for (const { data } of chunks) data.buffer.destroy();
}

function destroyParts(parts: readonly TablePart[]): void {
  for (const { buffer } of parts) buffer.destroy();
}
