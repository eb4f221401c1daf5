import type { ColumnResult, Task } from "@polybin/cluster/shards";
import type { Histogram, JointHistogram, SampleType, Timings } from "@polybin/core";
import type { ValueText } from "../values/index.ts";
import type { Stats } from "./stats.ts";

/** The input, as `--json` prints it. */
export interface InputDescription {
  readonly name: string;
  readonly kind: "image" | "raw";
  readonly type: SampleType;
  /** The samples of one channel. Each channel's counts, flow and NaN add up to it. */
  readonly samples: number;
  /** Null unless the input is a picture. */
  readonly width: number | null;
  readonly height: number | null;
}

/** An input, or a column of a table. */
export interface ColumnInput extends Pick<InputDescription, "name" | "samples" | "width" | "height"> {
  readonly kind: InputDescription["kind"] | "table";
  /** The type of the samples, or the kind of a column whose numbers mean something else, such as times. */
  readonly type: string;
  /** Number of files, if there are several tables. */
  readonly files?: number;
}

/** One counted channel. */
export interface Channel {
  readonly name: string;
  /** The name of the column, without that of a group. */
  readonly column?: string;
  /** The number of the group, with --by. */
  readonly group?: number;
  readonly histogram: Histogram;
  /** The numbers of `--stats`, if they were asked for. */
  readonly stats?: Stats;
  /** How values are shown. Default: as numbers. */
  readonly values?: ValueText;
  /** The names of the bins. Default: their edges. */
  readonly names?: readonly string[];
}

/** The device that counted, and its plan. */
export type Work = Pick<Histogram | JointHistogram, "backend" | "device" | "algorithm" | "plan">;

/** All data that the outputs show. Every channel has the same axis, backend, algorithm and plan. */
export interface Result {
  readonly input: InputDescription;
  /** At least one. */
  readonly channels: readonly Channel[];
  readonly work: Work;
  /** Samples that --mask left out. Null without a mask. */
  readonly masked: number | null;
  readonly timings: Timings;
  /** Bytes of the counted samples. */
  readonly bytes: number;
  /** Number of shards that were merged. Absent if everything was counted here. */
  readonly merged?: number;
  /** The damage of a picture that --lenient counted, in words. Null for an undamaged input. */
  readonly damage: string | null;
}

/** A column that cannot be counted. */
export interface NotRead {
  readonly name: string;
  readonly reason: string;
}

/** The counts of some columns of a table, and all other data that the outputs show. */
export interface TableResult {
  /** The name of the file. */
  readonly name: string;
  /** Files in addition to it. */
  readonly more: number;
  readonly format: string;
  readonly rows: number;
  /** At least one. */
  readonly columns: readonly ColumnResult[];
  /** Columns that cannot be counted, and why, if all were asked for. */
  readonly notRead?: readonly NotRead[];
  /** The column of the groups. Null: no groups. */
  readonly by: Task["by"];
  /** How the first rows were counted. Null if nothing had to be counted on a device, or a part was merged. */
  readonly work: Work | null;
  /** Number of shards that were merged. Null if everything was counted here. */
  readonly merged: number | null;
  readonly timings: Timings;
  /** Bytes of the files. Null if they are unknown. */
  readonly bytes: number | null;
}

/** The joint histogram of two columns, and all other data that the outputs show. */
export interface JointResult {
  readonly columns: readonly [CellsColumn, CellsColumn];
  readonly joint: JointHistogram;
  /** The device that counted, and its plan. Null if nothing had to be counted, or shards were merged. */
  readonly work: Work | null;
  readonly timings: Timings;
  /** Bytes of the counted samples. */
  readonly bytes: number;
  /** Whether a mask left samples out. */
  readonly isMasked: boolean;
  /** Number of shards that were merged. Absent if everything was counted here. */
  readonly merged?: number;
}

/** The part of a column that the outputs show. */
export interface CellsColumn {
  readonly input: ColumnInput;
  /** The name of the channel, `values` unless the input is a picture, or that of the column. */
  readonly channel: string;
  /** The damage of a picture that --lenient counted, in words. Null for an undamaged input. */
  readonly damage: string | null;
  /** How values are shown. Default: as numbers. */
  readonly values?: ValueText;
}
