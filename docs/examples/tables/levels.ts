import { quantiles } from "@polybin/analysis";
import type { Engine } from "@polybin/core";
import sharp, { type Sharp } from "sharp";

/** Stretches each channel of an RGB picture from its 1st to its 99th percentile. It replaces sharp's `normalise`. */
export async function levelled(engine: Engine, picture: string | Buffer): Promise<Sharp> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const ends = (await engine.histograms({ data, channels: 3 })).map((h) => quantiles(h, [0.01, 0.99]));
  return sharp(data, { raw: info }).linear(ends.map(factor), ends.map(offset));
}

type Ends = ReturnType<typeof quantiles>;
const factor = ([low, high]: Ends): number => 255 / Math.max(1, high!.value - low!.value);
const offset = (ends: Ends): number => -ends[0]!.value * factor(ends);
