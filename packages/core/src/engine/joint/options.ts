import type { AlgorithmParameters, Slug } from "../../algorithms/index.ts";
import type { Axis, AxisOptions } from "../../axis/index.ts";
import { checkNames, checkSwitch, expected, PolybinError } from "../../base/index.ts";
import type { ByteStream, Countable, Resident, SamplesInit, SampleType } from "../../input/index.ts";
import { MAX_JOINT_COLUMNS } from "../../plan/index.ts";
import type { Host } from "../host.ts";
import {
  type CountingOptions,
  checkCounting,
  checkProgress,
  countingNames,
  type Progress,
} from "../options.ts";

/** Input that a joint histogram can count. */
export type JointSource = Exclude<Countable, ByteStream>;

/** A column of a joint histogram: samples, one channel of interleaved samples, or a stream. */
export type JointColumnInput =
  | JointSource
  | ByteStream
  | { readonly input: JointSource; readonly channel: number }
  | StreamColumn;

/** A stream as a column. A stream alone has the type of its pieces. */
export interface StreamColumn {
  readonly input: ByteStream;
  /** Sample type of bytes. Default: that of its pieces; bytes alone are "u8". */
  readonly type?: SampleType | undefined;
  /** Interleaved samples per pixel. Default: 1. */
  readonly interleaved?: number | undefined;
  /** The channel that is counted, if there are several. */
  readonly channel?: number | undefined;
  /** Length of the stream in bytes, if it is known. A Blob reports its size automatically. */
  readonly bytes?: number | undefined;
}

/** Says which samples are counted: those whose byte or bit is not 0. */
export type Mask =
  | Uint8Array
  | SamplesInit
  | Resident
  /** One bit per sample, from the lowest bit of each byte on. */
  | { readonly bits: Uint8Array };

/** Divides samples into groups, each with a histogram of its own. */
export interface Groups {
  /** One integer per sample: the number of its group. */
  readonly codes: JointSource;
  /** Number of groups. Codes are below it. */
  readonly groups: number;
}

/** Options that leave samples out, or divide them into groups. */
export interface Selection {
  /**
   * The samples to count: a byte per sample that is not 0, on the device or in memory, or `{ bits }` with a bit per
   * sample. The result reports the others as `masked`.
   */
  readonly mask?: Mask | null | undefined;
  /** Indices of the samples to count. An index that occurs twice counts twice. Default: all samples. */
  readonly where?: Uint32Array | null | undefined;
  /** The group of each sample. The call then returns one result per group. */
  readonly by?: Groups | null | undefined;
}

/** Options that apply while a call runs. */
interface RunningOptions {
  /** Whether to measure how long the call takes. Otherwise the result's `timings` are null. Default: false. */
  readonly timings?: boolean | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the number of samples counted so far. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `histogram` with a mask, a list of indices, or groups. */
export type SelectedOptions = Selection & CountingOptions & RunningOptions;

/** Options of `joint`. */
export interface JointOptions extends Selection, AlgorithmParameters, RunningOptions {
  /** One axis per column, or its `bins` and `range`. Default: the axis that `histogram` would use for each column. */
  readonly axes?: readonly (Axis | AxisOptions)[] | undefined;
  /** The channels of the only input that are the columns. */
  readonly channels?: readonly number[] | undefined;
  /** The algorithm's slug. Default: "auto", the algorithm that measured fastest on this kind of device. */
  readonly algorithm?: Slug | "auto" | (string & {}) | undefined;
}

/** Names of `Selection`. */
export const SELECTION_NAMES: readonly (keyof Selection)[] = ["mask", "where", "by"];

const RUNNING_NAMES = ["timings", "signal", "onProgress"];

/** @throws ERR_INPUT, ERR_UNSUPPORTED */
export function checkJointOptions(options: JointOptions, host: Host): void {
  const own = ["axes", "channels", "algorithm", ...host.parameters];
  checkNames(options, [...own, ...SELECTION_NAMES, ...RUNNING_NAMES]);
  checkCounting({ algorithm: options.algorithm }, host);
  checkRunning(options);
}

/** @throws ERR_INPUT, ERR_UNSUPPORTED */
export function checkSelectedOptions(
  options: SelectedOptions,
  host: Host,
  channels: "channel" | "channels",
): void {
  const own = [channels, ...(channels === "channel" ? ["weights"] : []), ...countingNames(host)];
  checkNames(options, [...own, ...SELECTION_NAMES, ...RUNNING_NAMES]);
  checkCounting(options, host);
  checkRunning(options);
}

function checkRunning({ onProgress, timings }: RunningOptions): void {
  checkProgress(onProgress);
  checkSwitch(timings, "timings");
}

/** Checks the number of columns, the groups' column included. @throws ERR_INPUT, ERR_LIMIT */
export function checkColumns(columns: number, least: number, by: unknown): void {
  if (columns < least) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected at least ${least} columns but received ${columns}: engine.histogram counts one column`,
    );
  }
  const all = columns + (by === undefined ? 0 : 1);
  if (all > MAX_JOINT_COLUMNS) {
    const what = `at most ${MAX_JOINT_COLUMNS}${by === undefined ? "" : ", the groups' column included,"}`;
    throw expected("ERR_LIMIT", "columns", what, all);
  }
}
