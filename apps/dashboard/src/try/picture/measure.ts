import type { Engine } from "@polybin/core";
import { greyOf } from "@polybin/pictures/grey";
import { cropped, levelsOf, type Region, type Samples } from "./pixels.ts";

/** The histograms of a picture or of a part of it, and how many of its pixels are clipped. */
export interface Measured {
  readonly pixels: number;
  /** One histogram per channel. */
  readonly counts: readonly Float64Array[];
  /** The histogram of the luma of a colour picture. */
  readonly luma: Float64Array | null;
  /** Pixels with a colour at 0, and pixels with a colour at the highest value. */
  readonly clipped: { readonly low: number; readonly high: number };
}

/** The number of channels that are colours: one for grey, else three. */
const coloursOf = (channels: number): number => (channels < 3 ? 1 : 3);

/** Counts a picture, or a region of it, at its own depth. */
export async function measured(engine: Engine, all: Samples, region: Region | null): Promise<Measured> {
  const { data, channels, width, height } = cropped(all, region);
  const options = { bins: levelsOf(all) };
  const found = await engine.histograms({ data, channels }, options);
  const luma =
    channels < 3 ? null : (await engine.histogram(greyOf(data, channels) as Uint8Array, options)).counts;
  const clipped = clippedOf({ data, channels, width, height });
  return { pixels: width * height, counts: found.map(({ counts }) => counts), luma, clipped };
}

function clippedOf(samples: Samples): { low: number; high: number } {
  const { data, channels } = samples;
  const [colours, most] = [coloursOf(channels), levelsOf(samples) - 1];
  let low = 0;
  let high = 0;
  for (let at = 0; at < data.length; at += channels) {
    let isLow = false;
    let isHigh = false;
    for (let colour = 0; colour < colours; colour++) {
      const value = data[at + colour]!;
      isLow ||= value === 0;
      isHigh ||= value === most;
    }
    if (isLow) low += 1;
    if (isHigh) high += 1;
  }
  return { low, high };
}

/** Which pixels to mark. */
export interface Marked {
  readonly low: boolean;
  readonly high: boolean;
}

/** The longer side of the picture of marks, in dots. A dot has at least one marked pixel. */
const MOST_DOTS = 800;
const LOW = [0, 229, 255, 255] as const;
const HIGH = [255, 0, 200, 255] as const;

/** Draws a dot wherever pixels are clipped, on a transparent picture. Few pixels of a large picture remain visible. */
export function marks(samples: Samples, { low, high }: Marked): ImageData {
  const { data, channels, width, height } = samples;
  const [colours, most] = [coloursOf(channels), levelsOf(samples) - 1];
  const scale = Math.min(1, MOST_DOTS / Math.max(width, height));
  const image = new ImageData(
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.min(image.height - 1, Math.floor(y * scale)) * image.width;
    for (let x = 0; x < width; x++, at += channels) {
      let mark: readonly number[] | null = null;
      for (let colour = 0; colour < colours; colour++) {
        const value = data[at + colour]!;
        if (high && value === most) mark = HIGH;
        else if (low && value === 0) mark ??= LOW;
      }
      if (mark !== null) image.data.set(mark, 4 * (row + Math.min(image.width - 1, Math.floor(x * scale))));
    }
  }
  return image;
}
