import { loadedOnce, type PreparedSegments, type SegmentsJob } from "@polybin/core/backend";
import type { Context } from "./context.ts";
import { countSegments } from "./deliver/segments.ts";
import { prepareSegments } from "./prepare/segments.ts";

const rows = loadedOnce(() => import("./deliver/rows.ts"));

/** Prepares a job over segments and starts to compile its kernels. */
export function preparedSegments(context: Context, job: SegmentsJob): PreparedSegments {
  const steps = prepareSegments(job, context.catalog, context.of);
  context.compiled(steps);
  return {
    launch: steps.launch,
    count: (inputs, options) =>
      context.run(inputs.input.kind, options, () => countSegments(context, steps, inputs, options)),
    leave: (inputs, options) =>
      context.run(inputs.input.kind, options, async () =>
        (await rows()).leaveSegments(context, steps, inputs, options),
      ),
  };
}
