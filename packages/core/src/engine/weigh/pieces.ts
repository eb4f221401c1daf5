import { BYTE_VALUES } from "../../base/index.ts";
import { runs, type Samples } from "../../input/index.ts";
import { type Lowering, lowerInto } from "../../lowering/index.ts";
import { WEIGHED_SAMPLES } from "../../weights/index.ts";

/** Some samples of a weighted histogram, those in a bin apart from those in none. */
export interface Piece {
  /** Pixels that it was made of. */
  readonly pixels: number;
  /** The bin of each sample that is in one. */
  readonly values: Uint8Array | Uint16Array;
  /** Their weights, to be used up. */
  readonly inside: Float64Array;
  /** UNDERFLOW, OVERFLOW or NAN of each of the others. */
  readonly rows: Uint8Array;
  readonly outside: Float64Array;
}

/** What samples are gathered from. */
export interface Weighed {
  readonly samples: Samples;
  readonly channel: number;
  /** Bins of the axis. */
  readonly bins: number;
  readonly lowering: Lowering;
  /** One a pixel. */
  readonly weights: Float32Array | Float64Array;
}

/** Samples and their weights, WEIGHED_SAMPLES at a time: what a piece has is overwritten by the next one. */
export function* pieces({ samples, channel, bins, lowering, weights }: Weighed): Generator<Piece> {
  const most = Math.min(samples.pixels, WEIGHED_SAMPLES);
  const codes = new Uint32Array(most);
  const values = bins <= BYTE_VALUES ? new Uint8Array(most) : new Uint16Array(most);
  const rows = new Uint8Array(most);
  const [inside, outside] = [new Float64Array(most), new Float64Array(most)];
  let pixel = 0;
  let from = 0;
  let binned = 0;
  let others = 0;
  const piece = (): Piece => ({
    pixels: pixel - from,
    // A device may keep the values of a table as they are.
    values: values.slice(0, binned),
    inside: inside.subarray(0, binned),
    rows: rows.subarray(0, others),
    outside: outside.subarray(0, others),
  });
  for (const run of runs(samples, most)) {
    const found = lowerInto(lowering, run, channel, samples.channels, codes);
    if (pixel - from + found > most) {
      yield piece();
      [from, binned, others] = [pixel, 0, 0];
    }
    for (let i = 0; i < found; i++, pixel++) {
      const code = codes[i]!;
      if (code < bins) {
        values[binned] = code;
        inside[binned++] = weights[pixel]!;
      } else {
        rows[others] = code - bins;
        outside[others++] = weights[pixel]!;
      }
    }
  }
  yield piece();
}
