import type { JointHistogram, Timings } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Choice } from "./engine.ts";
import { readMask } from "./input/codes.ts";
import { type Column, readColumns } from "./joint-columns.ts";
import type { JointRequest } from "./joint-request.ts";
import type { ValueText } from "./output/value-text.ts";
import type { Watch } from "./progress.ts";
import type { ColumnInput, Work } from "./result.ts";

/** The joint histogram of two columns, and all other data that the outputs show. */
export interface JointResult {
  readonly columns: readonly [JointColumn, JointColumn];
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
export interface JointColumn extends Pick<Column, "channel" | "damage"> {
  readonly input: ColumnInput;
  /** How values are shown. Default: as numbers. */
  readonly values?: ValueText;
}

/** Counts two columns together. */
export async function countJoint(
  request: JointRequest,
  choice: Pick<Choice, "engine">,
  signal: AbortSignal,
  watch: Watch,
): Promise<JointResult> {
  const start = performance.now();
  const columns = await readColumns(request, signal);
  const [first] = columns;
  const { samples } = first.input;
  const mask = request.mask === null ? undefined : await readMask(request.mask, first.input, signal);
  const readMs = performance.now() - start;
  const each = columns.reduce((sum, { input: { type } }) => sum + SAMPLE_TRAITS[type].bytes, 0);
  const widest = columns.reduce((a, b) => (bytesOf(b) > bytesOf(a) ? b : a)).input.type;
  const engine = await choice.engine(2 * samples, widest);
  const joint = await engine.joint(
    columns.map(({ of, at }) => ({ input: of, channel: at })),
    {
      axes: request.columns.map(({ axis }) => axis),
      mask,
      algorithm: request.algorithm,
      timings: true,
      signal,
      onProgress: ({ done }) => watch({ done: done * each, total: samples * each }),
    },
  );
  const own = joint.timings ?? { readMs: 0, uploadMs: 0, kernelMs: 0 };
  return {
    columns,
    joint,
    work: joint,
    timings: {
      readMs: readMs + own.readMs,
      uploadMs: own.uploadMs,
      kernelMs: own.kernelMs,
      totalMs: performance.now() - start,
    },
    bytes: samples * each,
    isMasked: mask !== undefined,
  };
}

const bytesOf = ({ input }: Column): number => SAMPLE_TRAITS[input.type].bytes;
