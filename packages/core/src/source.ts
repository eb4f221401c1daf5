import type { External, Input, Resident } from "./backend.ts";
import { expected, PolybinError } from "./errors.ts";
import { type FileInput, isFileInput } from "./file.ts";
import {
  checkedChannels,
  checkedWhole,
  SAMPLE_TYPES,
  type Samples,
  type SamplesInit,
  type SampleType,
  samples,
} from "./samples.ts";
import type { ByteStream } from "./stream.ts";

/** What can be counted. */
export type Countable = SamplesInit | SamplesInit["data"] | Resident | External | FileInput | ByteStream;

/** An input that knows its own shape. */
export interface Source extends Shape {
  readonly input: Input;
}

/** What is to be counted, as far as it is known beforehand. */
export interface Shape {
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;
}

/** The shape of an input, checked. @throws ERR_INPUT */
export function sourceOf(input: Exclude<Countable, ByteStream>): Source {
  if (isFileInput(input)) return { input: { kind: "file", file: input }, ...shapeOf(input) };
  if (isExternal(input)) return { input: { kind: "external", external: input }, ...shapeOf(input) };
  if (isResident(input)) return { input: { kind: "resident", resident: input }, ...shapeOf(input) };
  const checked: Samples = samples(input);
  return { input: { kind: "samples", samples: checked }, ...shapeOf(checked) };
}

/** Descriptions come from others' programs, and numbers in them decide what is allocated. */
function shapeOf({ type, channels, pixels }: Shape): Shape {
  if (!SAMPLE_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
  }
  return {
    type,
    channels: checkedChannels(channels, "channels"),
    pixels: checkedWhole(pixels, "pixels", 0),
  };
}

function isExternal(value: unknown): value is External {
  return typeof value === "object" && value !== null && (value as External).kind === "external";
}

function isResident(value: unknown): value is Resident {
  return typeof value === "object" && value !== null && typeof (value as Resident).free === "function";
}

/** The channels that a call means. @throws ERR_INPUT where the input does not have them. */
export function channelsOf({ channels }: Shape, which: Channels): readonly number[] {
  if (which === "all") return Array.from({ length: channels }, (_, i) => i);
  if (which === "only") {
    if (channels > 1) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected one channel but these samples have ${channels}: name a channel, or call histograms`,
      );
    }
    return [0];
  }
  if (!Array.isArray(which)) throw expected("ERR_INPUT", "channels", "an array of channels", which);
  which.forEach((channel, i) => {
    if (!Number.isInteger(channel) || channel < 0 || channel >= channels) {
      throw expected("ERR_INPUT", `channels[${i}]`, `a channel from 0 to ${channels - 1}`, channel);
    }
  });
  if (which.length === 0 || new Set(which).size !== which.length) {
    throw expected("ERR_INPUT", "channels", "different channels, at least one", which);
  }
  return which;
}

/** One channel where there is only one, all, or these. */
export type Channels = "only" | "all" | readonly number[];
