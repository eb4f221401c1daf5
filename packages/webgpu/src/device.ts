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
import { uploadSamples, uploadTable } from "./memory/index.ts";
import { type Hardware, nameOf, own } from "./platform/index.ts";
import { Context, extentOf, preparersOf, refuses } from "./run/index.ts";

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
  readonly #preparers: Preparers;

  constructor(hardware: Hardware, of: WebgpuLimits, catalog: Catalog = new Catalog()) {
    this.name = nameOf(hardware.device.adapterInfo);
    this.limits = of;
    this.#context = new Context(hardware, of, catalog);
    this.#preparers = preparersOf(this.#context);
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
    return this.#context.run("samples", options, () => uploadSamples(this.#context, samples, options.signal));
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
    return this.#context.run("samples", options, () => uploadTable(this.#context, values, options.signal));
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}
