import { checkRequest, planOrReason, selectPlan } from "../algorithms/index.ts";
import { type Axis, type AxisOptions, axisBeforehand, axisUnread, binsOf, dataRange } from "../axis/index.ts";
import type { Backend, CountJob, CountsLayout, Device, RunOptions } from "../backend/index.ts";
import {
  CALLS_AT_ONCE,
  checkNames,
  expected,
  FLOW_ROWS,
  guarded,
  isPolybinError,
  MAX_SAMPLES,
  PolybinError,
  Semaphore,
  type Talk,
  U32_MAX,
  WORD_BYTES,
} from "../base/index.ts";
import {
  type ByteStream,
  type Channels,
  type Countable,
  channelsOf,
  checkedChannels,
  checkedTable,
  type Extent,
  type External,
  type FeatureTableInit,
  type Input,
  isByteStream,
  NO_EXTENT,
  promisedBytes,
  type Resident,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SamplesInit,
  type SampleType,
  type Source,
  samples,
  sourceOf,
  wholePixels,
} from "../input/index.ts";
import { type Lowering, Lowerings, lookupSizeOf } from "../lowering/index.ts";
import type { Plan, PlanRequest, Slug, WeightedSlug } from "../plan/index.ts";
import {
  addCode,
  type Counts,
  type DeviceTimings,
  Histogram,
  mergeChannel,
  noCounts,
  type Weighed,
} from "../result/index.ts";
import {
  checkEncodeOptions,
  checkOptions,
  checkProgress,
  type EncodeOptions,
  type HistogramOptions,
} from "./options.ts";
import type { TableDevice, TableHost } from "./table/host.ts";
import { FeatureTable } from "./table/table.ts";
import { checkWeightedOptions, type WeightedHistogramOptions, weigh, weightsOf } from "./weigh/weigh.ts";

/** What close frees. */
type Freeable = Pick<Resident, "freed" | "free">;

/** A backend that was passed over. */
export interface Skipped {
  readonly backend: string;
  readonly reason: string;
}

/** What `encode` put into an encoder: what is counted, how, and where the counts will lie. */
export interface Encoded {
  readonly backend: string;
  readonly algorithm: Slug;
  readonly plan: Plan;
  readonly axis: Axis;
  readonly layout: CountsLayout;
}

/** An open backend that counts. Many calls may run at once. */
export class Engine implements AsyncDisposable {
  /** The backend's id. */
  readonly backend: string;
  /** The device, in words. */
  readonly device: string;
  /** The slugs this backend has. */
  readonly algorithms: readonly Slug[];
  /** The weighted slugs it has; none: it has no tables. */
  readonly weighted: readonly WeightedSlug[];
  /** Backends that were passed over for this one, and why. */
  readonly skipped: readonly Skipped[];
  readonly #device: Device;
  readonly #running = new Set<Promise<unknown>>();
  /** Who counts; the others wait, and hold nothing but their input. */
  readonly #turns: Semaphore;
  readonly #maxQueue: number;
  /** Each aborts when the engine closes: a call that waits for a user's stream would wait as long as that likes. */
  readonly #streams = new Set<AbortController>();
  readonly #lowerings = new Lowerings();
  readonly #uploaded = new WeakSet<Resident>();
  /** What is to be freed at the end; weakly, so that a backend learns of residents that were forgotten. */
  #residents: WeakRef<Freeable>[] = [];
  #closing: Promise<void> | null = null;

  /** @internal use openEngine */
  constructor(backend: Backend, device: Device, skipped: readonly Skipped[], maxQueue: number) {
    this.backend = backend.id;
    this.device = device.name;
    this.algorithms = backend.algorithms;
    this.weighted = backend.weighted ?? [];
    this.skipped = Object.freeze([...skipped]);
    this.#device = device;
    this.#turns = new Semaphore(device.callsAtOnce ?? CALLS_AT_ONCE);
    this.#maxQueue = maxQueue;
  }

  /** Can this backend read files itself, in bounded memory? */
  get readsFiles(): boolean {
    return this.#device.readsFiles;
  }

  /**
   * Counts samples of one channel; with `weights`, which samples in memory may have, adds those up, too.
   * @throws ERR_INPUT for several channels: `histograms` gives one for each.
   */
  histogram(
    input: Countable,
    options: WeightedHistogramOptions & { readonly channel?: number },
  ): Promise<Weighed>;
  histogram(
    input: Countable,
    options?: HistogramOptions & { readonly channel?: number; readonly weights?: undefined },
  ): Promise<Histogram>;
  histogram(
    input: Countable,
    options: (HistogramOptions | WeightedHistogramOptions) & { readonly channel?: number },
  ): Promise<Histogram | Weighed>;
  async histogram(
    input: Countable,
    options: (HistogramOptions | WeightedHistogramOptions) & { readonly channel?: number } = {},
  ): Promise<Histogram | Weighed> {
    if (isWeighted(options)) return this.#weigh(input, checkWeightedOptions(options));
    const { channel, ...rest } = checkOptions(options, "channel");
    const all = await this.#count(input, channel === undefined ? "only" : { channel }, rest);
    return all[0]!;
  }

  /** Counts each of the given interleaved channels (default: all) by itself, over one axis. */
  async histograms(
    input: Countable,
    options: HistogramOptions & { readonly channels?: readonly number[] } = {},
  ): Promise<Histogram[]> {
    const { channels, ...rest } = checkOptions(options, "channels");
    return this.#count(input, channels ?? "all", rest);
  }

  /**
   * Brings samples to the device, to be counted there again and again. They are the samples as of now.
   * (A worker pool takes shared memory as it is: do not write to it while it is resident.)
   * Free them with `free()`, `await using`, or the engine's `close`.
   */
  async upload(
    input: SamplesInit | SamplesInit["data"],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Resident> {
    checkNames(options, ["signal"]);
    const checked = samples(input);
    return this.#run({ signal: options.signal }, async () => {
      const resident = await this.#device.upload(checked, { signal: options.signal });
      this.#uploaded.add(resident);
      this.#keep(resident);
      return resident;
    });
  }

  /**
   * Brings the features of documents to the device, over whose bins weights are then added up again and again. They are
   * the values as of now.
   * @throws ERR_INPUT where a value is not below its feature's bins, or anything does not fit; ERR_UNSUPPORTED where the
   * backend has no weighted sums.
   */
  async table(
    init: FeatureTableInit,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<FeatureTable> {
    checkNames(options, ["signal"]);
    return this.#run({ signal: options.signal }, async ({ signal }) => {
      const host = this.#tableHost();
      const values = await checkedTable(init, signal);
      const resident = await host.device.uploadTable(values, { signal });
      const table = new FeatureTable(values, resident, host);
      this.#keep(table);
      return table;
    });
  }

  /** The finite minimum and maximum of samples; min > max where there is none. */
  async extent(
    input: Exclude<Countable, ByteStream>,
    options: RunOptions & { readonly channels?: readonly number[] } = {},
  ): Promise<Extent> {
    checkNames(options, ["signal", "onProgress", "channels"]);
    checkProgress(options.onProgress);
    const source = sourceOf(input);
    const channels = channelsOf(source, options.channels ?? "all");
    const { signal, onProgress } = options;
    return this.#inTurn({ signal, onProgress }, (talk) =>
      source.pixels === 0
        ? Promise.resolve(NO_EXTENT)
        : this.#device.extent(this.#readable(source), channels, talk),
    );
  }

  /**
   * Puts the counting of samples that are on the device into a user's own encoder, and their counts into a user's own
   * memory: nothing is submitted, nothing is read back. Once it resolves, the commands stand behind those that were
   * there before; do not use the encoder while it runs. The samples must be there until the commands have run.
   * @throws ERR_UNSUPPORTED where the backend has no encoders; ERR_AXIS for floats and 32-bit integers without an axis or a
   * range, which would have to be read; ERR_LIMIT from 2^32 pixels on.
   */
  async encode(encoder: object, input: Resident | External, options: EncodeOptions): Promise<Encoded> {
    const {
      into,
      offset = 0,
      add = false,
      check = true,
      channels: which = "all",
      signal,
      ...rest
    } = checkEncodeOptions(options);
    if (typeof encoder !== "object" || encoder === null) {
      throw expected(
        "ERR_INPUT",
        "encoder",
        "an encoder of the device, such as a GPUCommandEncoder,",
        encoder,
      );
    }
    return this.#run({ signal }, async () => {
      if (this.#device.encode === undefined) {
        throw new PolybinError(
          "ERR_UNSUPPORTED",
          `${this.backend} has no encoders that a program could hand it: call histogram, or use a backend such as webgpu`,
        );
      }
      const source = sourceOf(input);
      const found = this.#readable(source);
      if (found.kind !== "resident" && found.kind !== "external") {
        throw expected("ERR_INPUT", "input", "samples that are on the device, uploaded or its own,", input);
      }
      const { type, pixels } = source;
      if (pixels > U32_MAX) {
        throw expected("ERR_LIMIT", "pixels", `at most ${U32_MAX}, which 32-bit counts hold,`, pixels);
      }
      const channels = channelsOf(source, which);
      const why = "their range would have to be read back, as extent does";
      const axis = axisUnread(type, rest, `${type} samples`, why);
      const call = this.#prepare(type, pixels, channels, axis, rest);
      await this.#device.encode(
        { ...call, input: found, pixels, encoder, into, offset, add, check },
        { signal },
      );
      const stride = (call.axis.bins + FLOW_ROWS) * WORD_BYTES;
      return {
        backend: this.backend,
        algorithm: call.plan.algorithm,
        plan: call.plan,
        axis: call.axis,
        layout: {
          channels,
          offsets: channels.map((_, i) => offset + i * stride),
          bytes: channels.length * stride,
        },
      };
    });
  }

  /**
   * The plan of a call, or the sentence that says why there is none. Counts nothing.
   * @throws ERR_INPUT for what no request holds.
   */
  supports(request: PlanRequest): Plan | string {
    checkRequest(request);
    const found = planOrReason(request, this.#device.limits);
    if (typeof found === "string") return found;
    if (!this.algorithms.includes(request.algorithm)) {
      return `${this.backend} has no kernel for ${request.algorithm}; it has ${this.algorithms.join(", ")}`;
    }
    return this.#refuses(found) ?? found;
  }

  /**
   * Waits for the calls that were made, frees every resident and lets the device go. Again is harmless.
   * A call that reads a stream is not waited for, since nobody knows when that ends: once the piece that is being counted
   * is done, it rejects with ERR_UNAVAILABLE, and the stream is let go.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const closed = new PolybinError(
      "ERR_UNAVAILABLE",
      "expected the stream to end while the engine was open but it was closed; nothing was counted",
      { backend: this.backend },
    );
    for (const stream of this.#streams) stream.abort(closed);
    await Promise.allSettled(this.#running);
    try {
      await Promise.all(this.#residents.map((resident) => resident.deref()?.free()));
    } finally {
      await this.#device.close();
    }
  }

  /** Remembers what close must free. */
  #keep(resident: Freeable): void {
    this.#residents = this.#residents.filter((other) => other.deref()?.freed === false);
    this.#residents.push(new WeakRef(resident));
  }

  /** @throws ERR_UNSUPPORTED where the device has no tables. */
  #tableHost(): TableHost {
    if (this.#device.uploadTable === undefined || this.#device.sums === undefined) {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        `${this.backend} has no weighted sums yet: open a backend that lists weighted algorithms, such as cpu`,
      );
    }
    return {
      backend: this.backend,
      device: this.#device as TableDevice,
      weighted: this.weighted,
      run: (talk, work) => this.#inTurn(talk, work),
    };
  }

  #weigh(
    input: Countable,
    options: WeightedHistogramOptions & { readonly channel?: number },
  ): Promise<Weighed> {
    return this.#inTurn(options, async (talk) => {
      const host = this.#tableHost();
      const source = isByteStream(input) ? null : sourceOf(input);
      if (source?.input.kind !== "samples") {
        throw new PolybinError(
          "ERR_UNSUPPORTED",
          "expected samples in memory beside weights: a stream, a file or samples on a device have none",
        );
      }
      const { samples: of } = source.input;
      const channels = channelsOf(
        source,
        options.channel === undefined ? "only" : { channel: options.channel },
      );
      const weights = weightsOf(options, of);
      const axis = await this.#axisFor(source, channels, { ...options, ...talk });
      const lowering = this.#lowerings.of(axis, of.type);
      return weigh(
        { samples: of, channel: channels[0]!, axis, lowering, weights },
        { ...options, ...talk },
        host,
      );
    });
  }

  #refuses(of: Plan): string | null {
    return this.#device.refuses?.(of) ?? null;
  }

  async #run<P, T>(talk: Talk<P>, work: (talk: Talk<P>) => Promise<T>): Promise<T> {
    const { signal } = talk;
    if (this.#closing !== null) {
      throw new PolybinError("ERR_UNAVAILABLE", "expected an open engine but this one was closed", {
        backend: this.backend,
      });
    }
    if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
      throw expected("ERR_INPUT", "signal", "an AbortSignal", signal);
    }
    signal?.throwIfAborted();
    const running = guarded(talk, work);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw this.#signed(error);
    } finally {
      this.#running.delete(running);
    }
  }

  /** The same once its turn has come. @throws ERR_LIMIT where more wait than the user allows. */
  #inTurn<P, T>(talk: Talk<P>, work: (talk: Talk<P>) => Promise<T>): Promise<T> {
    return this.#run(talk, async (guardedTalk) => {
      if (this.#turns.full && this.#turns.waiting >= this.#maxQueue) {
        throw new PolybinError(
          "ERR_LIMIT",
          `expected at most ${this.#maxQueue} calls to wait, which maxQueue allows: wait for some before more are made`,
        );
      }
      return this.#turns.hold(() => work(guardedTalk), guardedTalk.signal);
    });
  }

  /** Puts the backend's name on an error that does not say where it arose. */
  #signed(error: unknown): unknown {
    if (!isPolybinError(error) || error.backend !== undefined) return error;
    const { code, message, algorithm, cause = error } = error;
    return new PolybinError(code, message, { backend: this.backend, algorithm, cause });
  }

  #count(input: Countable, which: Channels, options: HistogramOptions): Promise<Histogram[]> {
    const start = performance.now();
    if (isByteStream(input)) {
      return this.#run(options, (talk) => this.#countStream(input, which, { ...options, ...talk }, start));
    }
    return this.#inTurn(options, (talk) =>
      this.#countSource(sourceOf(input), which, { ...options, ...talk }, start),
    );
  }

  #readable(source: Source): Input {
    if (source.input.kind === "file" && !this.readsFiles) {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        `${this.backend} reads no files itself: pass a stream of the file, or fs.openAsBlob(path)`,
        { backend: this.backend },
      );
    }
    if (source.input.kind === "external" && source.input.external.backend !== this.backend) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected samples that ${this.backend} can reach but these are on a device of ${source.input.external.backend}: ` +
          "open an engine of that backend on it",
        { backend: this.backend },
      );
    }
    if (source.input.kind === "resident" && source.input.resident.freed) {
      throw new PolybinError("ERR_INPUT", "expected resident samples but they were freed", {
        backend: this.backend,
      });
    }
    if (source.input.kind === "resident" && !this.#uploaded.has(source.input.resident)) {
      throw new PolybinError("ERR_INPUT", "expected a resident that this engine uploaded", {
        backend: this.backend,
      });
    }
    return source.input;
  }

  async #countSource(
    source: Source,
    which: Channels,
    options: HistogramOptions,
    start: number,
  ): Promise<Histogram[]> {
    const { type = source.type, interleaved = source.channels } = options;
    if (type !== source.type) {
      throw expected("ERR_INPUT", "type", `${source.type}, which these samples are,`, type);
    }
    if (interleaved !== source.channels) {
      throw expected("ERR_INPUT", "interleaved", `${source.channels}, which these samples are,`, interleaved);
    }
    const size = source.pixels * source.channels * SAMPLE_TRAITS[source.type].bytes;
    if (options.bytes !== undefined && options.bytes !== size) {
      throw expected("ERR_INPUT", "bytes", `${size}, which these samples are,`, options.bytes);
    }
    const channels = channelsOf(source, which);
    const input = this.#readable(source);
    const axis = await this.#axisFor(source, channels, options);
    const call = this.#prepare(source.type, source.pixels, channels, axis, options);
    await this.#countInto(
      call,
      input,
      source.pixels,
      (done) => options.onProgress?.({ done, total: source.pixels }),
      options,
    );
    options.onProgress?.({ done: source.pixels, total: source.pixels });
    return this.#results(call, start);
  }

  /**
   * A stream is counted piece by piece, each in its turn; while one is counted the next is gathered. A stream that delivers
   * nothing takes nobody's turn.
   */
  async #countStream(
    stream: ByteStream,
    which: Channels,
    options: HistogramOptions,
    start: number,
  ): Promise<Histogram[]> {
    const type = options.type ?? "u8";
    if (!SAMPLE_TYPES.includes(type))
      throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
    const interleaved = checkedChannels(options.interleaved ?? 1, "interleaved");
    const channels = channelsOf({ type, pixels: MAX_SAMPLES, channels: interleaved }, which);
    const promised = promisedBytes(stream, options.bytes);
    const total = promised === null ? null : promised / (SAMPLE_TRAITS[type].bytes * interleaved);
    const why = "it can be read only once, so its range is not known";
    const axis = axisUnread(type, options, `a stream of ${type}`, why);
    const call = this.#prepare(type, MAX_SAMPLES, channels, axis, options);
    let done = 0;
    let waitedMs = 0;
    let counting: Promise<void> = Promise.resolve();
    const ending = new AbortController();
    const { signal: closed } = ending;
    const signal = options.signal === undefined ? closed : AbortSignal.any([options.signal, closed]);
    this.#streams.add(ending);
    try {
      let since = performance.now();
      for await (const bytes of wholePixels(stream, type, interleaved, signal, promised)) {
        waitedMs += performance.now() - since;
        await counting;
        options.signal?.throwIfAborted();
        const piece = samples({ data: bytes, type, channels: interleaved });
        const input = { kind: "samples", samples: piece } as const;
        counting = this.#turns.hold(
          () => this.#countInto(call, input, piece.pixels, undefined, options),
          signal,
        );
        // A failure is thrown where it is awaited; until then it must not count as unhandled.
        counting.catch(() => {});
        done += piece.pixels;
        options.onProgress?.({ done, total });
        since = performance.now();
      }
      waitedMs += performance.now() - since;
      await counting;
    } catch (error) {
      await counting.catch(() => {});
      throw error;
    } finally {
      this.#streams.delete(ending);
    }
    call.timings.readMs += waitedMs;
    return this.#results(call, start);
  }

  async #axisFor(
    source: Source,
    channels: readonly number[],
    options: AxisOptions & Pick<HistogramOptions, "signal">,
  ): Promise<Axis> {
    const axis = axisBeforehand(source.type, options);
    if (axis !== null) return axis;
    const found =
      source.pixels === 0
        ? NO_EXTENT
        : await this.#device.extent(this.#readable(source), channels, { signal: options.signal });
    return dataRange(binsOf(options), source.type, found.min, found.max);
  }

  #prepare(
    type: SampleType,
    pixels: number,
    channels: readonly number[],
    axis: Axis,
    options: HistogramOptions,
  ): Call {
    const lowering = this.#lowerings.of(axis, type);
    const { algorithm = "auto", k, collisions, merge, layout } = options;
    const request = {
      type,
      lowering,
      lookup: this.#device.limits.kind === "gpu" ? lookupSizeOf(lowering, this.#device.limits) : null,
      samples: pixels,
      channels: channels.length,
      k,
      collisions,
      merge,
      layout,
    };
    return {
      axis,
      lowering,
      channels,
      plan: this.#planFor(algorithm, request),
      counts: channels.map(() => noCounts(axis.bins)),
      timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
    };
  }

  #planFor(algorithm: Slug | "auto", request: Omit<PlanRequest, "algorithm">): Plan {
    if (algorithm === "auto") {
      return selectPlan(request, this.#device.limits, this.algorithms, (found) => this.#refuses(found));
    }
    const found = this.supports({ ...request, algorithm });
    if (typeof found === "string") throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm });
    return found;
  }

  async #countInto(
    call: Call,
    input: Input,
    pixels: number,
    onProgress: ((done: number) => void) | undefined,
    { signal }: HistogramOptions,
  ): Promise<void> {
    if (pixels === 0) return;
    if (call.lowering.kind === "constant") {
      for (const counts of call.counts) addCode(counts, call.lowering.code, pixels);
      return;
    }
    const part = await this.#device.count({ ...call, input } satisfies CountJob, { signal, onProgress });
    signal?.throwIfAborted();
    if (part.channels.length !== call.channels.length) {
      throw new PolybinError(
        "ERR_MISCOUNT",
        `expected counts of ${call.channels.length} channels but the device returned ${part.channels.length}`,
        { backend: this.backend, algorithm: call.plan.algorithm },
      );
    }
    part.channels.forEach((channel, i) => {
      mergeChannel(call.counts[i]!, channel, call.plan, call.lowering, pixels);
    });
    call.timings.readMs += part.timings.readMs;
    call.timings.uploadMs += part.timings.uploadMs;
    call.timings.kernelMs += part.timings.kernelMs;
  }

  #results(call: Call, start: number): Histogram[] {
    const provenance = {
      backend: this.backend,
      device: this.device,
      algorithm: call.plan.algorithm,
      plan: call.plan,
      timings: { ...call.timings, totalMs: performance.now() - start },
    };
    return call.counts.map((counts) => new Histogram(call.axis, call.lowering.type, counts, provenance));
  }
}

/** One call on its way from input to result. */
interface Call {
  readonly axis: Axis;
  readonly lowering: Lowering;
  readonly channels: readonly number[];
  readonly plan: Plan;
  readonly counts: Counts[];
  readonly timings: { -readonly [name in keyof DeviceTimings]: number };
}

function isWeighted(options: unknown): options is WeightedHistogramOptions {
  return (
    typeof options === "object" &&
    options !== null &&
    (options as { weights?: unknown }).weights !== undefined
  );
}
