import type { Axis, AxisOptions } from "../../../axis/index.ts";
import type { Channels, Countable, Cuttable, SegmentsInit } from "../../../input/index.ts";
import type { Choice } from "../../jobs/prepare.ts";
import type { GivenWeights, Selection } from "../../options/selection-options.ts";
import type { WeightingOptions } from "../../options/weighting-options.ts";
import type { Described } from "./described.ts";

/**
 * A request has four parts that do not depend on one another: columns and their axes, the samples that are
 * selected, the rows of the result, and what a cell adds up. Names and simple values are checked; inputs are not.
 */
export interface Request {
  readonly columns: Columns;
  /** The smallest number of columns. */
  readonly least: number;
  readonly select: Pick<Selection, "mask" | "where">;
  readonly rows: Rows;
  /** Null: samples are counted. */
  readonly sums: Sums | null;
  /** The algorithm of counts, and its parameters. */
  readonly choice: Choice;
  readonly timings: boolean;
}

/** The columns of a call, and the axis of each. */
export type Columns =
  /** One input each. */
  | {
      readonly kind: "inputs";
      readonly inputs: readonly (Countable | Described)[];
      readonly axes: readonly (Axis | AxisOptions | undefined)[] | undefined;
    }
  /** Channels of one input, as several columns of one result. */
  | {
      readonly kind: "channels";
      readonly input: Countable | Described;
      readonly which: Channels;
      readonly axes: readonly (Axis | AxisOptions | undefined)[] | undefined;
    }
  /** Channels of one input, with one result per channel. They have one axis, unless `axes` has one for each. */
  | {
      readonly kind: "each";
      readonly input: Countable | Described;
      readonly which: Channels;
      readonly axis: AxisOptions;
      readonly axes?: readonly Axis[] | undefined;
    };

/** The rows of a result: one, one per group, or one per segment. */
export type Rows =
  | { readonly kind: "one" }
  | { readonly kind: "groups"; readonly by: NonNullable<Selection["by"]> }
  | {
      readonly kind: "segments";
      readonly how: SegmentsInit;
      /** The size of the picture behind an input; null: it has none. */
      readonly imageOf: (input: Countable) => Cuttable["image"];
      readonly into: Uint32Array | undefined;
      readonly leave: boolean;
    };

/** The weights that a cell adds up, and how. */
export interface Sums {
  /** One or more columns. Each has a result. */
  readonly weights: readonly GivenWeights[];
  /** Whether the caller passed a list of columns, and receives a list of results. */
  readonly isList: boolean;
  readonly options: WeightingOptions;
  /** Whether the sums will be added to those of other calls. Default: false. */
  readonly isPart?: boolean;
}
