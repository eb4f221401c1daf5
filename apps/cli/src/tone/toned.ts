import {
  applyTable,
  clahe,
  claheGrid,
  clahePadded,
  equalize,
  match,
  stretch,
  type Table,
} from "@polybin/analysis";
import { type Engine, type Histogram, PolybinError } from "@polybin/core";
import type { Picture } from "@polybin/pictures";
import type { Tone } from "./request.ts";

type Clahe = Extract<Tone, { readonly kind: "clahe" }>;
type Pixels = Pick<Picture, "data" | "channels" | "width" | "height">;

/** The channels of a picture whose values change: all except alpha. */
function tonedChannels({ names }: Picture): readonly number[] {
  return [...names.keys()].filter((at) => names[at] !== "a");
}

/**
 * Applies a tone to each channel except alpha, with counts of this channel alone.
 * @param reference the picture to match, if the tone is `match`.
 * @returns new samples of the same depth.
 * @throws ERR_INPUT for a reference of another depth or with other channels, or for more tiles than pixels.
 */
export async function toned(
  engine: Engine,
  picture: Picture,
  tone: Tone,
  reference: Picture | null,
  signal: AbortSignal,
): Promise<Uint8Array | Uint16Array> {
  const channels = tonedChannels(picture);
  const data = picture.data.slice();
  if (tone.kind === "clahe") {
    for (const channel of channels) await equalizeTiles(engine, picture, data, channel, tone, signal);
    return data;
  }
  const counts = await countsOf(engine, picture, channels, signal);
  const goals = reference && (await goalsOf(engine, picture, reference, signal));
  for (const [i, channel] of channels.entries()) {
    const table = tableOf(tone, counts[i]!, goals?.[i]);
    applyTable<Table>(data, table, { channels: picture.channels, channel, into: data });
  }
  return data;
}

function tableOf(tone: Exclude<Tone, Clahe>, counts: Histogram, goal: Histogram | undefined): Table {
  if (tone.kind === "equalize") return equalize(counts);
  if (tone.kind === "match") return match(counts, goal!);
  return stretch(counts, { low: tone.low, high: tone.high });
}

/** One bin per value. */
function countsOf(
  engine: Engine,
  picture: Picture,
  channels: readonly number[],
  signal: AbortSignal,
): Promise<readonly Histogram[]> {
  return engine.histograms(picture, { bins: picture.type === "u8" ? 256 : 65_536, channels, signal });
}

function goalsOf(
  engine: Engine,
  picture: Picture,
  reference: Picture,
  signal: AbortSignal,
): Promise<readonly Histogram[]> {
  const describe = (of: Picture): string =>
    `${of.type} with the channels ${tonedChannels(of)
      .map((at) => of.names[at])
      .join(" ")}`;
  if (describe(reference) !== describe(picture)) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a picture of ${describe(picture)} for --match but received one of ${describe(reference)}`,
    );
  }
  return countsOf(engine, reference, tonedChannels(reference), signal);
}

/** Writes one channel, equalized by tiles, into `into`. */
async function equalizeTiles(
  engine: Engine,
  { data, channels, width, height }: Pixels,
  into: Uint8Array | Uint16Array,
  channel: number,
  { clipLimit, columns, rows }: Clahe,
  signal: AbortSignal,
): Promise<void> {
  if (columns > width || rows > height) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected at least one pixel per tile for --clahe but ${columns} x ${rows} tiles cover a picture of ` +
        `${width} x ${height} pixels; pass --grid ${Math.min(columns, width)}x${Math.min(rows, height)} or --equalize`,
    );
  }
  const plane = planeOf(data, channels, channel);
  const grid = claheGrid({ width, height }, { columns, rows });
  const padded = clahePadded(plane, { width, height }, grid);
  const bins = plane instanceof Uint8Array ? 256 : 65_536;
  const counts = await engine.segments(
    { data: padded, width: grid.padded.width },
    { tiles: grid.tiles },
    { bins, signal },
  );
  const result = clahe({ data: plane, width, height }, counts, { clipLimit, columns, rows });
  for (let i = 0, at = channel; i < result.length; i++, at += channels) into[at] = result[i]!;
}

function planeOf(data: Uint8Array | Uint16Array, channels: number, channel: number): Table {
  if (channels === 1) return data;
  const plane = new (data instanceof Uint8Array ? Uint8Array : Uint16Array)(data.length / channels);
  for (let i = 0, at = channel; i < plane.length; i++, at += channels) plane[i] = data[at]!;
  return plane;
}
