import {
  type Countable,
  type Engine,
  type Extent,
  fileSamples,
  type Histogram,
  PolybinError,
  type SampleType,
} from "@polybin/core";
import { type AxisOptions, axisBeforehand, binsOf, dataRange, SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Picture } from "@polybin/pictures";
import { pictureFormat } from "@polybin/pictures/formats";
import type { Choice } from "./engine.ts";
import { expectPlain } from "./input/container.ts";
import { greyOf } from "./input/grey.ts";
import { decodePicture } from "./input/picture.ts";
import { GATHER_BYTES, gather, type Source } from "./input/source.ts";
import { streamExtent } from "./input/stream-extent.ts";
import type { Watch } from "./progress.ts";
import { axisOptions, type Request } from "./request.ts";
import type { Channel, Result } from "./result.ts";

/** Counts a source as the request says. */
export async function count(
  source: Source,
  request: Request,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
  watch: Watch,
): Promise<Result> {
  const format = request.raw ? null : pictureFormat(source.head);
  if (format === null) {
    if (!request.raw) expectPlain(source);
    return countRaw(source, request, choice, signal, watch);
  }
  if (!format.decodable) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `${source.name} is a ${format.name} picture, which cannot be decoded here; --raw counts the file's bytes`,
    );
  }
  const start = performance.now();
  const encoded = await gather(source, signal);
  if (encoded === null) throw tooBig(source, "ERR_LIMIT", "--raw counts the file's bytes");
  const picture = await decodePicture(encoded, { name: source.name, lenient: request.lenient, signal });
  const readMs = performance.now() - start;
  if (request.type !== null && request.type !== picture.type) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --type ${picture.type} or none for the ${format.name} picture ${source.name} but received ` +
        `${request.type}; --raw counts the file's bytes as values of that type`,
    );
  }
  return countPicture(source.name, picture, request, choice, signal, watch, readMs);
}

async function countPicture(
  name: string,
  picture: Picture,
  request: Request,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
  watch: Watch,
  readMs: number,
): Promise<Result> {
  const start = performance.now();
  const { samples: input, channels } = chosen(picture, request.channel, name);
  const engine = await choice.engine(input.data.length, picture.type);
  const histograms = await engine.histograms(input, {
    ...axisOptions(request, picture.type, true),
    channels: channels.map(({ at }) => at),
    ...callOptions(request, signal),
    onProgress: watch,
  });
  const samples = picture.width * picture.height;
  return {
    input: {
      name,
      kind: "image",
      type: picture.type,
      samples,
      width: picture.width,
      height: picture.height,
    },
    channels: channels.map((channel, i): Channel => ({ name: channel.name, histogram: histograms[i]! })),
    timings: timingsOf(histograms[0]!, readMs, readMs + performance.now() - start),
    bytes: samples * channels.length * SAMPLE_TRAITS[picture.type].bytes,
    damage: picture.damage,
  };
}

/** What is counted of a picture. */
interface Chosen {
  readonly samples: Pick<Picture, "data" | "channels">;
  /** By name, and where in a pixel each lies. */
  readonly channels: readonly { readonly name: string; readonly at: number }[];
}

/** The channels that were asked for; `grey` of a colour picture is worked out here. */
function chosen(picture: Picture, channel: string, name: string): Chosen {
  const { names } = picture;
  const channels = names.map((own, at) => ({ name: own, at }));
  if (channel === "all") return { samples: picture, channels };
  const own = channels.filter((candidate) => candidate.name === channel);
  if (own.length > 0) return { samples: picture, channels: own };
  if (channel === "grey" && names[0] === "r") {
    const data = greyOf(picture.data, picture.channels);
    return { samples: { data, channels: 1 }, channels: [{ name: "grey", at: 0 }] };
  }
  throw new PolybinError(
    "ERR_INPUT",
    `expected one of ${[...names, ...(names[0] === "r" ? ["grey"] : []), "all"].join(", ")} for --channel of ` +
      `${name} but received ${JSON.stringify(channel)}`,
  );
}

async function countRaw(
  source: Source,
  request: Request,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
  watch: Watch,
): Promise<Result> {
  if (request.channel !== "all") {
    throw new PolybinError(
      "ERR_INPUT",
      `expected no --channel for ${source.name}, which is no picture, but received ${request.channel}`,
    );
  }
  const start = performance.now();
  const type = request.type ?? "u8";
  const { bytes: size } = SAMPLE_TRAITS[type];
  const few = await source.bytesUpTo(choice.alone(type) * size);
  const engine = await choice.engine(few === null ? null : Math.floor(few / size), type);
  const input = await rawInput(source, type, request, engine, signal);
  const total = source.file === null ? null : source.file.bytes / size;
  const histogram = await engine.histogram(input.of, {
    ...input.axis,
    ...(input.streamed ? { type } : {}),
    ...callOptions(request, signal),
    onProgress: ({ done }) => watch({ done, total }),
  });
  // What the engine read as a stream was looked at when that ended.
  if (!input.streamed) await source.file?.check();
  const samples = histogram.sum({ flow: true });
  return {
    input: { name: source.name, kind: "raw", type, samples, width: null, height: null },
    channels: [{ name: "values", histogram }],
    timings: timingsOf(histogram, input.readMs, performance.now() - start),
    bytes: samples * size,
    damage: null,
  };
}

/** How raw values reach the engine. */
interface RawInput {
  readonly of: Countable;
  readonly axis: AxisOptions;
  readonly streamed: boolean;
  /** Spent on reading before the engine had its turn. */
  readonly readMs: number;
}

/**
 * A regular file goes to the engine as a file where that reads files itself, else as a stream; so memory stays
 * bounded. Only values from a pipe whose range is that of the data are gathered: a pipe cannot be read twice.
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
  if (source.file !== null) {
    // Says so when the file does not hold a whole number of samples, before anything is read.
    const { path, bytes } = source.file;
    const file = fileSamples({ path, bytes, type });
    if (engine.readsFiles) return { of: file, axis, streamed: false, readMs: 0 };
  }
  if (known) return { of: source.stream(), axis, streamed: true, readMs: 0 };
  const start = performance.now();
  if (source.file !== null) {
    const { min, max }: Extent = await streamExtent(source.stream(), type, signal);
    const found = dataRange(binsOf(axis), type, min, max);
    return { of: source.stream(), axis: { axis: found }, streamed: true, readMs: performance.now() - start };
  }
  const bytes = await gather(source, signal);
  if (bytes === null) throw tooBig(source, "ERR_AXIS", "give --range LO,HI, and it is counted as it comes");
  return { of: { data: bytes, type }, axis, streamed: false, readMs: performance.now() - start };
}

function callOptions({ algorithm, k }: Request, signal: AbortSignal) {
  return { algorithm, k, signal };
}

function timingsOf(histogram: Histogram, readMs: number, totalMs: number): Result["timings"] {
  const own = histogram.timings ?? { readMs: 0, uploadMs: 0, kernelMs: 0 };
  return { readMs: readMs + own.readMs, uploadMs: own.uploadMs, kernelMs: own.kernelMs, totalMs };
}

function tooBig(source: Source, code: "ERR_AXIS" | "ERR_LIMIT", remedy: string): PolybinError {
  return new PolybinError(
    code,
    `expected at most ${GATHER_BYTES} bytes that must be held in memory but ${source.name} has more; ${remedy}`,
  );
}
