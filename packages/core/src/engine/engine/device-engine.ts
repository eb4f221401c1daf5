import type { Backend, Device, RunOptions } from "../../backend/index.ts";
import { checkNames, loadedOnce, needsObject, ownOptions } from "../../base/index.ts";
import {
  type ArrayOf,
  allocated,
  type ByteStream,
  type Countable,
  channelsOf,
  copiedTable,
  type Extent,
  type External,
  type FeatureTableInit,
  forDevice,
  type Resident,
  SAMPLE_TYPES,
  type SamplesInit,
  type SampleType,
  samples,
} from "../../input/index.ts";
import { extentIn } from "../channels/extent-in.ts";
import type { Encoded } from "../encode.ts";
import { imageOf } from "../opened/image.ts";
import { sourceIn } from "../opened/open-backend.ts";
import { checkEncodeOptions, checkProgress, type EncodeOptions } from "../options/options.ts";
import type { FeatureTable } from "../table/table.ts";
import { type EngineParts, partsOf } from "./parts.ts";

// The first chunk holds the code for a first histogram. The engine loads these modules on first use.
const converting = loadedOnce(() => import("../samples/device-input.ts"));
const tables = loadedOnce(() => import("../table/index.ts"));
const encoding = loadedOnce(() => import("../encode.ts"));

/** A backend that did not work here, and the reason. */
export interface Skipped {
  readonly backend: string;
  readonly reason: string;
}

/** An open backend: what it is, its memory, and its end. */
export abstract class DeviceEngine implements AsyncDisposable {
  /** The backend's id, such as "cpu". */
  readonly backend: string;
  /** The device's name. */
  readonly device: string;
  /** Slugs of the algorithms that this backend has. */
  readonly algorithms: readonly string[];
  /** Slugs of the weighted algorithms that this backend has. Empty: the backend has no feature tables. */
  readonly weighted: readonly string[];
  /** Backends that were tried before this one and did not work, with the reasons. */
  readonly skipped: readonly Skipped[];
  /** Whether this backend reads files itself. If not, this thread reads them. Both take bounded memory. */
  readonly readsFiles: boolean;
  readonly #parts: EngineParts;

  /** @internal Use openEngine. */
  constructor(backend: Backend, device: Device, skipped: readonly Skipped[], maxQueue: number) {
    const parts = partsOf(backend, device, maxQueue);
    this.backend = backend.id;
    this.device = device.name;
    this.algorithms = Object.freeze(parts.opened.algorithms.map(({ slug }) => slug));
    this.weighted = Object.freeze(parts.opened.weighted.map(({ slug }) => slug));
    this.skipped = Object.freeze([...skipped]);
    this.readsFiles = device.readsFiles;
    this.#parts = parts;
  }

  protected get parts(): EngineParts {
    return this.#parts;
  }

  /**
   * Allocates an array of samples in memory that this device counts fastest: shared with workers, or page-locked, as the
   * device prefers. The array is yours and holds zeros. Its buffer holds nothing else. It is freed when nothing
   * references it any more.
   * @param type the type of its samples. Default: "u8".
   * @throws ERR_INPUT unless `length` is a whole number of at least 0, or for an unknown type.
   * @throws ERR_UNSUPPORTED for "f16" if the platform has no Float16Array.
   * @throws ERR_OUT_OF_MEMORY if the memory is not available.
   */
  allocate<T extends SampleType = "u8">(length: number, type?: T): ArrayOf[T] {
    return this.parts.lifecycle.ask(() => {
      const { device } = this.parts.opened;
      return allocated(length, type ?? ("u8" as T), (bytes) => device.allocate?.(bytes));
    });
  }

  /**
   * Copies samples to the device, so that you can count them repeatedly there. The copy holds the samples as they are
   * now. There is one exception: a worker pool keeps shared memory as it is, so do not write to it while it is
   * resident. Free the samples with `free()`, `await using`, or the engine's `close`. A resident has the type that the
   * device counts: "u16" for f16, and "f64" for 64-bit integers, which are rounded down. The engine knows what they were.
   */
  async upload(
    input: SamplesInit | SamplesInit["data"],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Resident> {
    const { signal } = checkedSignal(options);
    const checked = samples(input);
    const { type } = checked;
    return this.parts.lifecycle.run({ signal }, async () => {
      const { device, uploaded, converted } = this.parts.opened;
      const ofDevice = forDevice(checked);
      const isKnown = SAMPLE_TYPES.includes(ofDevice.type);
      const own = isKnown ? ofDevice : (await converting()).roundedSamples(checked);
      const resident = await device.upload(own, { signal });
      if (own.type !== type) converted.set(resident, type);
      uploaded.set(resident, imageOf(input, checked));
      this.parts.lifecycle.keep(resident);
      return resident;
    });
  }

  /**
   * Copies the features of documents to the device, so that you can add up weights over their bins repeatedly. The
   * copy holds the values as they are now.
   * @throws ERR_INPUT if a value is not below its feature's number of bins, or the table is invalid.
   * @throws ERR_UNSUPPORTED if the backend has no weighted sums.
   */
  async table(
    init: FeatureTableInit,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<FeatureTable> {
    return this.parts.lifecycle.run(checkedSignal(options), async ({ signal }) => {
      // Copied before anything is loaded.
      const copy = copiedTable(init);
      const { checkedTable, FeatureTable, tablesOf } = await tables();
      const opened = tablesOf(this.parts.opened);
      const values = await checkedTable(copy, signal, true);
      const resident = await opened.device.uploadTable(values, { signal });
      const table = new FeatureTable(values, resident, opened);
      this.parts.lifecycle.keep(table);
      return table;
    });
  }

  /** Returns the finite minimum and maximum of the samples. If there is no finite sample, min > max. */
  async extent(
    input: Exclude<Countable, ByteStream>,
    given: RunOptions & { readonly channels?: readonly number[] } = {},
  ): Promise<Extent> {
    const options = ownOptions(given);
    checkNames(options, ["signal", "onProgress", "channels"]);
    checkProgress(options.onProgress);
    const source = sourceIn(this.parts.opened, input);
    const channels = channelsOf(source, options.channels ?? "all");
    const { signal, onProgress } = options;
    return this.parts.lifecycle.inTurn({ signal, onProgress }, (talk) =>
      extentIn(this.parts.opened, source, channels, talk),
    );
  }

  /**
   * Records the counting of samples on the device into your own encoder, with your own memory as the destination. It
   * submits nothing and reads nothing back. When the promise resolves, the commands follow those that the encoder
   * held before. Do not use the encoder before that. Keep the samples until the commands have run.
   * @throws ERR_UNSUPPORTED if the backend has no encoders, or if the host would have to convert the samples first.
   * @throws ERR_AXIS for floats and 32-bit integers without an axis or a range, because the data would have to be
   * read.
   * @throws ERR_LIMIT from 2^32 pixels on.
   */
  async encode(encoder: object, input: Resident | External, options: EncodeOptions): Promise<Encoded> {
    const checked = checkEncodeOptions(ownOptions(options), this.parts.opened);
    return this.parts.lifecycle.run({ signal: checked.signal }, async () => {
      const { encode } = await encoding();
      return encode(this.parts.opened, this.parts.jobs, encoder, input, checked);
    });
  }

  /**
   * Waits for pending calls, frees every resident and closes the device. You can call it more than once. It does not
   * wait for the end of streams. A call that reads a stream rejects with ERR_UNAVAILABLE as soon as the piece that is
   * being counted is done, and the stream is released.
   */
  close(): Promise<void> {
    return this.parts.lifecycle.close(() => this.parts.opened.device.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

needsObject(DeviceEngine, "engine");

/** @throws ERR_INPUT for another option */
function checkedSignal(options: Pick<RunOptions, "signal">): Pick<RunOptions, "signal"> {
  const own = ownOptions(options);
  checkNames(own, ["signal"]);
  return own;
}
