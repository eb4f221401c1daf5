import {
  type CountJob,
  loadedOnce,
  type Prepared,
  type PreparedOf,
  type Preparers,
  type SumsJob,
} from "@polybin/core/backend";
import { tableOf } from "../memory/index.ts";
import type { Context } from "./context.ts";
import { DeviceAccumulator } from "./deliver/accumulate.ts";
import { countChannels } from "./deliver/channels.ts";
import type { LateEncodings } from "./deliver/late-encodings.ts";
import { type ResidentCalls, residentOf, settled } from "./deliver/resident-calls.ts";
import { prepareChannels } from "./prepare/channels.ts";
import { frozen } from "./prepare/launch.ts";
import { prepareSegments } from "./prepare/segments.ts";
import { prepareSums } from "./prepare/sums.ts";

const cells = loadedOnce(() => import("./cells.ts"));
const segments = loadedOnce(() => import("./deliver/segments.ts"));
const rows = loadedOnce(() => import("./deliver/rows.ts"));
const sums = loadedOnce(() => import("./deliver/sums.ts"));

/** What all jobs over channels share, in addition to the context. */
export interface ChannelsCalls {
  readonly residents: ResidentCalls;
  readonly encodings: LateEncodings;
}

/** Returns how jobs of each kind are prepared. Their kernels then start to compile. */
export function preparersOf(context: Context, calls: ChannelsCalls): Preparers {
  return {
    channels: (job) => preparedChannels(context, calls, job),
    segments: (job) => preparedSegments(context, job),
    cells: async (job) => (await cells()).preparedCells(context, job),
    sums: (job) => preparedSums(context, job),
  };
}

function preparedChannels(
  context: Context,
  { residents, encodings }: ChannelsCalls,
  job: CountJob,
): Prepared {
  if (job.lowering.kind === "constant") {
    return {
      launch: frozen({ kernels: ["fold"] }),
      count: async () => {
        throw new Error("expected the engine to count samples of one constant code itself");
      },
      encode: (target, { signal }) => encodings.encode({ ...job, steps: null }, target, signal),
    };
  }
  const steps = prepareChannels(job, context.catalog, context.of);
  context.compiled(steps);
  const one: Prepared["count"] = (input, options) =>
    context.run(input.kind, options, () =>
      countChannels(context, steps, context.source.chunks(input, options.signal), options),
    );
  return {
    launch: steps.launch,
    count: async (input, options) => {
      const resident = residentOf(steps, input, options);
      if (resident === null) return one(input, options);
      const [part] = await residents.count(steps, [resident], options);
      return part!;
    },
    countAll: async (inputs, options) => {
      const all = inputs.map((input) => residentOf(steps, input, options));
      return all.every((resident) => resident !== null)
        ? residents.count(steps, all, options)
        : settled(inputs.map((input) => one(input, options)));
    },
    accumulator: () => new DeviceAccumulator(context, steps),
    // This does not wait for its turn, because it shares no buffer with other calls.
    encode: (target, { signal }) => encodings.encode({ ...job, steps }, target, signal),
  };
}

function preparedSegments(context: Context, job: CountJob): PreparedOf<"segments"> {
  const steps = prepareSegments(job, context.catalog, context.of);
  context.compiled(steps);
  return {
    launch: steps.launch,
    count: (inputs, options) =>
      context.run(inputs.input.kind, options, async () =>
        (await segments()).countSegments(context, steps, inputs, options),
      ),
    leave: (inputs, options) =>
      context.run(inputs.input.kind, options, async () =>
        (await rows()).leaveSegments(context, steps, inputs, options),
      ),
  };
}

function preparedSums(context: Context, job: SumsJob): PreparedOf<"sums"> {
  const { table } = job;
  const steps = prepareSums(job, tableOf(table), context.catalog, context.of);
  context.compiled(steps);
  return {
    launch: steps.launch,
    count: (weights, options) =>
      context.run("samples", options, async () =>
        (await sums()).countSums(context, steps, table, weights, options),
      ),
  };
}
