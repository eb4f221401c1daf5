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

/** One channel of a picture. */
type Plane = Pick<Picture, "data" | "width" | "height">;

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
    for (const channel of channels) {
      const plane = await equalizedTiles(engine, planeOf(picture, channel), tone, signal);
      for (let i = 0, at = channel; i < plane.length; i++, at += picture.channels) data[at] = plane[i]!;
    }
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

/** Equalizes one channel by tiles. */
async function equalizedTiles(
  engine: Engine,
  { data, width, height }: Plane,
  { clipLimit, columns, rows }: Clahe,
  signal: AbortSignal,
): Promise<Table> {
  if (columns > width || rows > height) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected at least one pixel per tile for --clahe but ${columns} x ${rows} tiles cover a picture of ` +
        `${width} x ${height} pixels; pass --grid ${Math.min(columns, width)}x${Math.min(rows, height)} or --equalize`,
    );
  }
  const grid = claheGrid({ width, height }, { columns, rows });
  const padded = clahePadded(data, { width, height }, grid);
  const bins = data instanceof Uint8Array ? 256 : 65_536;
  const counts = await engine.segments(
    { data: padded, width: grid.padded.width },
    { tiles: grid.tiles },
    { bins, signal },
  );
  return clahe({ data, width, height }, counts, { clipLimit, columns, rows });
}

function planeOf({ data, channels, width, height }: Picture, channel: number): Plane {
  if (channels === 1) return { data, width, height };
  const plane = new (data instanceof Uint8Array ? Uint8Array : Uint16Array)(data.length / channels);
  for (let i = 0, at = channel; i < plane.length; i++, at += channels) plane[i] = data[at]!;
  return { data: plane, width, height };
}
