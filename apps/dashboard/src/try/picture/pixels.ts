/** Samples of a decoded picture. */
export interface Samples {
  readonly width: number;
  readonly height: number;
  /** Interleaved samples per pixel. */
  readonly channels: number;
  readonly data: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
}

/** A decoded picture at the depth that its file has, as far as the page can decode it. */
export interface Pixels extends Samples {
  readonly name: string;
  /** Names of the channels: `grey` or `r g b`, then `a` if there is an alpha. */
  readonly names: readonly string[];
  /** The canvas that shows it, 8 bits per sample. */
  readonly canvas: HTMLCanvasElement;
  /** Whether a canvas multiplied the colours by alpha and divided them again, so that some may differ by rounding. */
  readonly isRounded: boolean;
}

/** A rectangle of a picture, in pixels. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The number of values that a sample can have. */
export const levelsOf = ({ data }: Samples): number => (data instanceof Uint16Array ? 65_536 : 256);

/** Copies the samples of a region, row by row. */
export function cropped(samples: Samples, region: Region | null): Samples {
  if (region === null) return samples;
  const { data, channels, width: pitch } = samples;
  const { x, y, width, height } = region;
  const row = width * channels;
  const part = new (data.constructor as Uint8ArrayConstructor)(row * height);
  for (let line = 0; line < height; line++) {
    const from = ((y + line) * pitch + x) * channels;
    part.set(data.subarray(from, from + row), line * row);
  }
  return { width, height, channels, data: part };
}
