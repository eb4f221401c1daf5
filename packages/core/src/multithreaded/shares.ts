import { divideCeiling } from "../base/index.ts";
import { bytesFrom, SAMPLE_TRAITS, type Samples } from "../input/index.ts";

/** Splits samples into at most `count` contiguous, non-empty shares of pixels, or of rows if the rows are not dense. */
export function shares(of: Samples, count: number): Samples[] {
  const units = of.dense ? of.pixels : of.height;
  const each = divideCeiling(units, count);
  const out: Samples[] = [];
  for (let first = 0; first < units; first += each) {
    const size = Math.min(each, units - first);
    out.push(of.dense ? pixelShare(of, first, size) : rowShare(of, first, size));
  }
  return out;
}

function pixelShare(of: Samples, first: number, pixels: number): Samples {
  const pixelBytes = SAMPLE_TRAITS[of.type].bytes * of.channels;
  const bytes = bytesFrom(of.bytes, first * pixelBytes, pixels * pixelBytes);
  return { ...of, bytes, width: pixels, height: 1, rowPitch: bytes.byteLength, pixels };
}

function rowShare(of: Samples, first: number, height: number): Samples {
  const rowBytes = of.width * of.channels * SAMPLE_TRAITS[of.type].bytes;
  const start = first * of.rowPitch;
  const bytes = bytesFrom(of.bytes, start, (height - 1) * of.rowPitch + rowBytes);
  return { ...of, bytes, height, pixels: of.width * height };
}
