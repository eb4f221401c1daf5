import { expected, PolybinError } from "../base/index.ts";
import type { ByteStream } from "./byte-stream.ts";
import { checkedFile, type FileInput, isFileInput } from "./file.ts";
import type { External, Input, Resident } from "./handed.ts";
import { deviceTypeOf, INPUT_TYPES, type SampleType } from "./sample-types.ts";
import { checkedChannels, checkedWhole, type Samples, type SamplesInit, samples } from "./samples.ts";

/** Input that can be counted. */
export type Countable = SamplesInit | SamplesInit["data"] | Resident | External | FileInput | ByteStream;

/** An input that knows its own shape. Its `type` is that of the caller's samples; the input has the device's type. */
export interface Source extends Shape {
  readonly input: Input;
}

/** The shape of an input. */
export interface Shape {
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;
}

/**
 * Returns an input with its checked shape.
 * @param untyped the type of the samples if the input is plain memory. Default: "u8".
 * @throws ERR_INPUT
 */
export function sourceOf(input: Exclude<Countable, ByteStream>, untyped?: SampleType): Source {
  if (ArrayBuffer.isView(input)) {
    const checked = samples(input, untyped);
    const { type, channels, pixels } = checked;
    return { input: { kind: "samples", samples: forDevice(checked) }, type, channels, pixels };
  }
  if (isFileInput(input)) {
    const file = checkedFile(input);
    return { input: { kind: "file", file: forDevice(file) }, ...shapeOf(file) };
  }
  if (isExternal(input)) return { input: { kind: "external", external: input }, ...shapeOf(input) };
  if (isResident(input)) return { input: { kind: "resident", resident: input }, ...shapeOf(input) };
  const checked: Samples = samples(input, untyped);
  return { input: { kind: "samples", samples: forDevice(checked) }, ...shapeOf(checked) };
}

/** Returns samples of the type that devices count. */
export function forDevice<T extends { readonly type: SampleType }>(of: T): T {
  const type = deviceTypeOf(of.type);
  return type === of.type ? of : Object.freeze({ ...of, type });
}

/** Checks a shape. Descriptions come from other programs, and their numbers decide how much memory is allocated. */
function shapeOf({ type, channels, pixels }: Shape): Shape {
  if (!INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${INPUT_TYPES.join(", ")}`, type);
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

/** Returns the channels that a call selects. @throws ERR_INPUT if the input does not have them. */
export function channelsOf({ channels }: Pick<Shape, "channels">, which: Channels): readonly number[] {
  if (which === "all") return Array.from({ length: channels }, (_, i) => i);
  if (which === "only") {
    if (channels > 1) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected one channel but these samples have ${channels}: choose a channel, or call histograms`,
      );
    }
    return [0];
  }
  const check = (channel: unknown, name: string): void => {
    if (!Number.isInteger(channel) || (channel as number) < 0 || (channel as number) >= channels) {
      throw expected("ERR_INPUT", name, `a channel from 0 to ${channels - 1}`, channel);
    }
  };
  if (isOne(which)) {
    check(which.channel, "channel");
    return [which.channel];
  }
  if (!Array.isArray(which)) throw expected("ERR_INPUT", "channels", "an array of channels", which);
  // forEach would skip holes.
  for (const [i, channel] of which.entries()) check(channel, `channels[${i}]`);
  if (which.length === 0 || new Set(which).size !== which.length) {
    throw expected("ERR_INPUT", "channels", "at least one channel, each only once,", which);
  }
  return which;
}

function isOne(which: Channels): which is One {
  return typeof which === "object" && which !== null && "channel" in which;
}

interface One {
  readonly channel: number;
}

/** A selection of channels: the only one, all, a single one, or a list. */
export type Channels = "only" | "all" | One | readonly number[];
