import {
  applyTable,
  clahe,
  claheGrid,
  clahePadded,
  equalize,
  mutualInformation,
  normalizedMutualInformation,
  type Table,
} from "@polybin/analysis";
import type { Engine } from "@polybin/core";
import type { Samples } from "./pixels.ts";

/** A change of the red, green and blue of a picture. */
export type Tone =
  /** Maps `low` to 0 and `high` to 255, and the values between them in proportion. */
  | { readonly kind: "levels"; readonly low: number; readonly high: number }
  | { readonly kind: "equalize" }
  | { readonly kind: "clahe" };

type Bytes = Uint8ClampedArray<ArrayBuffer>;

/** A request about a picture. Channels are 0 to 3. */
export type Exploration = { readonly tone: Tone } | { readonly joint: readonly [number, number] };

/** The joint counts of two channels, row-major with the second one as the fastest, and their mutual information in bits. */
export interface JointAnswer {
  readonly counts: Float64Array<ArrayBuffer>;
  readonly information: number;
  /** NaN if both channels have one value each. */
  readonly normalized: number;
}

/** The changed pixels, or joint counts. */
export type Explored = { readonly pixels: Bytes } | JointAnswer;

const CHANNELS = 4;
const COLOURS: readonly number[] = [0, 1, 2];
/** Enough contrast to see the difference. OpenCV's default of 40 hardly limits it. */
const CLIP_LIMIT = 4;
/** Tiles along each side. A picture of fewer pixels has one tile per pixel. */
const TILES = 8;

/** Changes the tones of a picture, or counts two of its channels together. */
export async function explore(engine: Engine, samples: Samples, request: Exploration): Promise<Explored> {
  return "joint" in request
    ? jointOf(engine, samples, request.joint)
    : { pixels: await toned(engine, samples, request.tone) };
}

async function jointOf(
  engine: Engine,
  { data }: Samples,
  channels: readonly [number, number],
): Promise<JointAnswer> {
  const input = { data, channels: CHANNELS };
  const columns = channels.map((channel) => ({ input, channel }));
  const joint = await engine.joint(columns, { axes: columns.map(() => ({ bins: 256 })) });
  return {
    counts: joint.counts.slice(),
    information: mutualInformation(joint, { base: 2 }),
    normalized: normalizedMutualInformation(joint),
  };
}

async function toned(engine: Engine, { data: pixels, width, height }: Samples, tone: Tone): Promise<Bytes> {
  const into = Uint8Array.from(pixels);
  if (tone.kind === "clahe") {
    for (const channel of COLOURS) {
      const plane = pixels.filter((_, i) => i % CHANNELS === channel);
      const size = { width, height };
      const data = Uint8Array.from(plane);
      const tiling = { columns: Math.min(TILES, width), rows: Math.min(TILES, height) };
      const grid = claheGrid(size, tiling);
      const tiles = { data: clahePadded(data, size, grid), width: grid.padded.width };
      const counts = await engine.segments(tiles, { tiles: grid.tiles }, { bins: 256 });
      const even = clahe({ data, ...size }, counts, { clipLimit: CLIP_LIMIT, ...tiling });
      for (const [i, value] of even.entries()) into[CHANNELS * i + channel] = value;
    }
  } else {
    const counts = await engine.histograms({ data: pixels, channels: CHANNELS }, { channels: COLOURS });
    for (const channel of COLOURS) {
      const table = tone.kind === "equalize" ? equalize(counts[channel]!) : levels(tone.low, tone.high);
      applyTable<Table>(into, table, { channels: CHANNELS, channel, into });
    }
  }
  return new Uint8ClampedArray(into.buffer);
}

function levels(low: number, high: number): Uint8Array {
  const part = (value: number): number => Math.min(Math.max((value - low) / (high - low), 0), 1);
  return Uint8Array.from({ length: 256 }, (_, value) => Math.round(255 * part(value)));
}
