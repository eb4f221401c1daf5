import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { type Choice, timingsSince } from "../engine/index.ts";
import { readMask } from "../input/index.ts";
import type { JointResult } from "../output/index.ts";
import type { Watch } from "../terminal/index.ts";
import { type Column, readColumns } from "./columns.ts";
import type { JointRequest } from "./request.ts";

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
  return {
    columns,
    joint,
    work: joint,
    timings: timingsSince(start, readMs, joint.timings),
    bytes: samples * each,
    isMasked: mask !== undefined,
  };
}

const bytesOf = ({ input }: Column): number => SAMPLE_TRAITS[input.type].bytes;
