import type { CountedAs } from "../../axis/index.ts";
import { BYTE_VALUES } from "../../base/index.ts";
import { runs, type Samples } from "../../input/index.ts";
import { type Lowering, lowerInto, reduced } from "../../lowering/index.ts";
import { WEIGHED_SAMPLES } from "../../weights/index.ts";

/** A part of the samples of a weighted histogram. Samples in bins are separate from samples outside all bins. */
export interface Piece extends PieceWeights {
  /** The bin of each sample that lies in one. */
  readonly values: Uint8Array | Uint16Array;
}

/** The weights of a piece. */
export interface PieceWeights {
  /** Number of pixels in the piece. */
  readonly pixels: number;
  /** The weights of the samples that lie in bins. The adder consumes them. */
  readonly inside: Float64Array;
  /** UNDERFLOW, OVERFLOW or NAN for each of the other samples. */
  readonly rows: Uint8Array;
  readonly outside: Float64Array;
}

/** The samples and weights that are cut into pieces. */
export interface Weighed {
  readonly samples: Samples;
  readonly channel: number;
  /** Number of bins of the axis. */
  readonly bins: number;
  readonly lowering: Lowering;
  /** How samples and codes of the axis become those of the lowering. */
  readonly counted: Pick<CountedAs, "codes" | "reduction">;
  /** One weight per pixel. */
  readonly weights: Float32Array | Float64Array;
}

/** Yields samples and their weights, WEIGHED_SAMPLES at a time. Each piece overwrites the one before it. */
export function* pieces({ samples, channel, bins, lowering, counted, weights }: Weighed): Generator<Piece> {
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
    // A device may keep the values of a table without copying them.
    values: values.slice(0, binned),
    inside: inside.subarray(0, binned),
    rows: rows.subarray(0, others),
    outside: outside.subarray(0, others),
  });
  for (const run of runs(samples, most)) {
    const converted = counted.reduction === null ? run : reduced(run, counted.reduction);
    const found = lowerInto(lowering, converted, channel, samples.channels, codes);
    if (pixel - from + found > most) {
      yield piece();
      [from, binned, others] = [pixel, 0, 0];
    }
    for (let i = 0; i < found; i++, pixel++) {
      const code = counted.codes === null ? codes[i]! : counted.codes[codes[i]!]!;
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
