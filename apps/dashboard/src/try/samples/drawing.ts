import { evening } from "./evening.ts";

const CHANNELS = 4;

/** The sample picture as a screen shows it: red, green, blue and alpha of 8 bits. */
export interface DrawnSample {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Draws the sample picture. It takes longer than a frame, so a worker does it. */
export function drawnSample(): DrawnSample {
  const { width, height, pixels } = evening();
  const data = new Uint8Array(width * height * CHANNELS).fill(255);
  for (let from = 0, to = 0; from < pixels.length; from += 3, to += CHANNELS) {
    data[to] = pixels[from]!;
    data[to + 1] = pixels[from + 1]!;
    data[to + 2] = pixels[from + 2]!;
  }
  return { width, height, data };
}
