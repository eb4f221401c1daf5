import type { Extent, Resident } from "@polybin/core";
import {
  type Device,
  type DeviceInput,
  type Input,
  type JobOf,
  type Kind,
  type LookupSize,
  type Lowering,
  loadedOnce,
  lookupSizeOf,
  type Plan,
  type PreparedOf,
  type Preparers,
  preparedBy,
  type ResidentTable,
  type RunOptions,
  type Samples,
  type TableValues,
} from "@polybin/core/backend";
import type { WebgpuLimits } from "./base/index.ts";
import { Catalog } from "./kernels/index.ts";
import { allOrNone, pitchOf, uploadTable, WebgpuResident, WebgpuTable } from "./memory/index.ts";
import { type Hardware, nameOf, own } from "./platform/index.ts";
import { Context, extentOf, LateEncodings, preparersOf, ResidentCalls, refuses } from "./run/index.ts";

const downloading = loadedOnce(() => import("./run/deliver/download.ts"));

/** A WebGPU device as an engine uses it. */
export class WebgpuDevice implements Device {
  readonly name: string;
  readonly limits: WebgpuLimits;
  readonly readsFiles = false;
  readonly encodes = true;
  readonly kinds: readonly Kind[] = ["channels", "segments", "cells", "sums"];
  readonly callsAtOnce: number = own.CALLS_AT_ONCE;
  readonly #context: Context;
  readonly #residents: ResidentCalls;
  readonly #encodings: LateEncodings;
  readonly #preparers: Preparers;

  constructor(hardware: Hardware, of: WebgpuLimits, catalog: Catalog = new Catalog()) {
    this.name = nameOf(hardware.device.adapterInfo);
    this.limits = of;
    this.#context = new Context(hardware, of, catalog);
    this.#residents = new ResidentCalls(this.#context);
    this.#encodings = new LateEncodings(this.#context);
    this.#preparers = preparersOf(this.#context, { residents: this.#residents, encodings: this.#encodings });
  }

  lookupSizeOf(lowering: Lowering): LookupSize | null {
    return lookupSizeOf(lowering, this.limits);
  }

  refuses(plan: Plan): string | null {
    return refuses(plan, this.#context.catalog, this.limits);
  }

  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K> {
    return preparedBy(this.#preparers, job);
  }

  upload(samples: Samples, options: RunOptions): Promise<Resident> {
    const { source, owners } = this.#context;
    return this.#context.run("samples", options, () =>
      allOrNone(async (made) => {
        const chunks = await source.upload(samples, options.signal, made);
        return new WebgpuResident(samples, chunks, owners);
      }),
    );
  }

  download(input: DeviceInput, options: RunOptions): Promise<Samples> {
    return this.#context.run(input.kind, options, async () =>
      (await downloading()).download(this.#context, input, options),
    );
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return this.#context.run(input.kind, options, () => extentOf(this.#context, input, channels, options));
  }

  uploadTable(values: TableValues, options: RunOptions): Promise<ResidentTable> {
    const { signal } = options;
    const { hardware, filler, owners } = this.#context;
    const { chunkBytes } = this.limits;
    return this.#context.run("samples", options, () =>
      allOrNone(async (made) => {
        signal?.throwIfAborted();
        const pitch = pitchOf(values, this.limits);
        const parts = await uploadTable(values, pitch, { hardware, filler, chunkBytes, signal }, made);
        return new WebgpuTable(pitch, parts, owners);
      }),
    );
  }

  close(): Promise<void> {
    return this.#context.turn(async () => {
      this.#context.close();
      this.#residents.free();
      await this.#encodings.close();
      this.#context.hardware.close();
    });
  }
}
