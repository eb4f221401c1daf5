import {
  type Axis,
  type ByteStream,
  type Countable,
  type Engine,
  type Extent,
  fileSamples,
  PolybinError,
  type SampleType,
} from "@polybin/core";
import { type AxisOptions, axisBeforehand, binsOf, dataRange, SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Picture } from "@polybin/pictures";
import type { Choice } from "../engine/index.ts";
import {
  chosen,
  expectNoText,
  gather,
  pictureIn,
  type Source,
  streamExtent,
  tooBig,
} from "../input/index.ts";
import type { InputDescription } from "../output/index.ts";
import { axisOptions, isSelected, type Request } from "./request.ts";

/** The samples to count, their engine and their axis: everything that is decided before the counting. */
export interface Subject {
  /** `samples` is null for a pipe, whose length is unknown until it was read. */
  readonly input: Omit<InputDescription, "samples"> & { readonly samples: number | null };
  readonly engine: Engine;
  readonly of: Countable;
  /** Whether the engine reads it as a stream, once and without knowing its length. */
  readonly streamed: boolean;
  /** Interleaved samples per pixel. */
  readonly interleaved: number;
  /** The counted channels, and their positions in a pixel. */
  readonly channels: readonly { readonly name: string; readonly at: number }[];
  /** The options that choose the axis. */
  readonly axis: AxisOptions;
  /** Milliseconds of reading and decoding before the engine started. */
  readonly readMs: number;
  /** The damage of a picture that is counted nevertheless, in words. Null for an undamaged input. */
  readonly damage: string | null;
}

/** Inspects a source, decodes it if it is a picture, and opens an engine for its size. */
export async function subjectOf(
  source: Source,
  request: Request,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
): Promise<Subject> {
  const read = await pictureIn(source, request, signal);
  if (read === null) return rawSubject(source, request, choice, signal);
  return pictureSubject(source.name, read.picture, request, choice, read.readMs);
}

async function pictureSubject(
  name: string,
  picture: Picture,
  request: Request,
  choice: Pick<Choice, "engine">,
  readMs: number,
): Promise<Subject> {
  const { type, width, height, damage } = picture;
  const { samples: of, channels } = chosen(picture, request.channel, name, "--channel");
  return {
    input: { name, kind: "image", type, samples: width * height, width, height },
    engine: await choice.engine(of.data.length, type),
    of,
    streamed: false,
    interleaved: of.channels,
    channels,
    axis: axisOptions(request, type, true),
    readMs,
    damage,
  };
}

/** The axis that the options or the type choose. If the data decide it, they are read. */
export async function axisOf(
  { engine, of, axis, input: { type }, channels }: Subject,
  signal: AbortSignal,
): Promise<Axis> {
  const known = axisBeforehand(type, axis);
  if (known !== null) return known;
  const which = channels.map(({ at }) => at);
  // A streamed source has an axis by now.
  const { min, max } = await engine.extent(of as Exclude<Subject["of"], ByteStream>, {
    channels: which,
    signal,
  });
  return dataRange(binsOf(axis), type, min, max);
}

async function rawSubject(
  source: Source,
  request: Request,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
): Promise<Subject> {
  const { name, file } = source;
  if (request.channel !== "all") {
    throw new PolybinError(
      "ERR_INPUT",
      `expected no --channel for ${name}, which is not a picture, but received ${request.channel}`,
    );
  }
  if (!request.raw && request.type === null) expectNoText(source);
  const type = request.type ?? "u8";
  const { bytes: size } = SAMPLE_TRAITS[type];
  const few = await source.bytesUpTo(choice.alone(type) * size);
  const engine = await choice.engine(few === null ? null : Math.floor(few / size), type);
  const raw = await rawInput(source, type, request, engine, signal);
  const bytes = file === null ? (raw.gathered ?? few) : file.bytes;
  return {
    input: {
      name,
      kind: "raw",
      type,
      samples: bytes === null ? null : bytes / size,
      width: null,
      height: null,
    },
    engine,
    of: raw.of,
    streamed: raw.streamed,
    interleaved: 1,
    channels: [{ name: "values", at: 0 }],
    axis: raw.axis,
    readMs: raw.readMs,
    damage: null,
  };
}

/** The way in which raw values reach the engine. */
interface RawInput {
  readonly of: Countable;
  readonly axis: AxisOptions;
  readonly streamed: boolean;
  /** Milliseconds of reading before the engine started. */
  readonly readMs: number;
  /** Bytes of a pipe that was gathered in memory. */
  readonly gathered?: number;
}

/**
 * Passes a regular file to the engine as a file if the engine reads files itself, else as a stream, so that memory stays
 * bounded. Gathers a pipe whose bins span the range of the data, because a pipe cannot be read twice.
 */
async function rawInput(
  source: Source,
  type: SampleType,
  request: Request,
  engine: Engine,
  signal: AbortSignal,
): Promise<RawInput> {
  const axis = axisOptions(request, type, false);
  const known = axisBeforehand(type, axis) !== null;
  if (request.segments !== null || isSelected(request)) return inMemory(source, type, axis, signal);
  if (source.file !== null) {
    // Throws before anything is read if the file does not hold a whole number of samples.
    const { path, bytes } = source.file;
    const file = fileSamples({ path, bytes, type });
    if (engine.readsFiles) return { of: file, axis, streamed: false, readMs: 0 };
  }
  if (known) return { of: source.stream(), axis, streamed: true, readMs: 0 };
  if (source.file !== null) {
    const start = performance.now();
    const { min, max }: Extent = await streamExtent(source.stream(), type, signal);
    const found = dataRange(binsOf(axis), type, min, max);
    return { of: source.stream(), axis: { axis: found }, streamed: true, readMs: performance.now() - start };
  }
  return inMemory(source, type, axis, signal, ["ERR_AXIS", "with --range LO,HI it is counted as it comes"]);
}

/** Reads all values into memory. */
async function inMemory(
  source: Source,
  type: SampleType,
  axis: AxisOptions,
  signal: AbortSignal,
  tooMany: readonly ["ERR_AXIS" | "ERR_LIMIT", string] = ["ERR_LIMIT", "cut it into smaller files"],
): Promise<RawInput> {
  const start = performance.now();
  const bytes = await gather(source, signal);
  if (bytes === null) throw tooBig(source, ...tooMany);
  const readMs = performance.now() - start;
  return { of: { data: bytes, type }, axis, streamed: false, readMs, gathered: bytes.length };
}
