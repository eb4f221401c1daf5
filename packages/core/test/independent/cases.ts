import type { AxisSpec, Layout, Rule, Type } from "./reference.ts";

/** Samples in the bytes that polybin reads. */
export interface Samples {
  readonly type: Type;
  readonly bytes: Uint8Array;
  readonly layout: Layout;
  /** How they are passed: a typed array, an array of numbers (f64), or bytes at an odd offset. */
  readonly form: "array" | "numbers" | "bytes";
}

/** How a call defines an axis. */
export type AxisChoice =
  | { readonly axis: AxisSpec }
  | {
      readonly axis?: undefined;
      readonly bins?: number | Rule;
      readonly range?: readonly [number, number] | "data" | "type";
    };

/** A channel of samples, and its axis. */
export interface Column {
  readonly samples: Samples;
  readonly channel: number;
  readonly axis: AxisChoice;
}

/** How samples are cut into segments. */
export type Cut =
  | { readonly every: number }
  | { readonly offsets: readonly number[] }
  | { readonly tiles: { readonly width: number; readonly height: number } };

export interface Weighting {
  readonly values: readonly number[];
  readonly as: "f32" | "f64" | "numbers";
  readonly squares: boolean;
  readonly precision: "reproducible" | "fast";
}

/** What is done with a histogram: bins joined by a factor or between some of the edges, or a range of bins. */
export type Regrouping =
  | { readonly rebin: number | readonly number[] }
  | { readonly slice: readonly [first: number, end: number] };

/**
 * One call.
 *
 *   histogram    one column
 *   histograms   the channels of one input, all with the axis of the first column, or each with its own
 *   joint        2 to 4 columns, of one input or of several
 *   segments     one column
 */
export interface Case {
  readonly call: "histogram" | "histograms" | "joint" | "segments";
  /** The call itself, a prepared counter, a resident, or a stream. */
  readonly via: "call" | "count" | "countSync" | "countAll" | "accumulate" | "resident" | "stream";
  readonly columns: readonly Column[];
  /** Whether each channel of `histograms` has an axis of its own. */
  readonly each?: boolean;
  readonly where?: readonly number[];
  readonly mask?: { readonly as: "bytes" | "bits"; readonly bytes: Uint8Array };
  readonly by?: { readonly codes: Samples; readonly groups: number };
  readonly weights?: Weighting;
  readonly cut?: Cut;
  /** Whether the counts of segments stay on the device and are read in two parts. */
  readonly leave?: boolean;
  /** What is done with the result of `histogram`. */
  readonly regroup?: Regrouping;
}

/** The number of pixels that a layout describes. */
export function pixelsOf({ bytes, type, layout }: Samples, sizes: Readonly<Record<Type, number>>): number {
  const { region, width, height, channels } = layout;
  if (region !== undefined) return region.width * region.height;
  return width === undefined ? bytes.byteLength / (sizes[type] * channels) : width * height!;
}
