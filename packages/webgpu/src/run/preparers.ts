import {
  type Accumulator,
  type CountJob,
  type EncodeTarget,
  loadedOnce,
  type Prepared,
  type Preparers,
  type RunOptions,
} from "@polybin/core/backend";
import { chunksOf } from "../memory/index.ts";
import type { Context } from "./context.ts";
import { countChannels } from "./deliver/channels.ts";
import type { Encodings } from "./deliver/encodings.ts";
import { ResidentCalls, residentOf, settled } from "./deliver/resident-calls.ts";
import { type ChannelsSteps, prepareChannels } from "./prepare/channels.ts";
import { frozen } from "./prepare/launch.ts";

const accumulating = loadedOnce(() => import("./deliver/accumulate.ts"));
const cells = loadedOnce(() => import("./deliver/cells.ts"));
const segments = loadedOnce(() => import("./segments.ts"));
const sums = loadedOnce(() => import("./sums.ts"));

/** Returns how jobs of each kind are prepared. Their kernels then start to compile. */
export function preparersOf(context: Context): Preparers {
  const residents = new ResidentCalls(context);
  const encodings = loadedOnce(async () => {
    const { Encodings } = await import("./deliver/encodings.ts");
    return new Encodings(context);
  });
  return {
    channels: (job) => preparedChannels(context, residents, encodings, job),
    segments: async (job) => (await segments()).preparedSegments(context, job),
    cells: async (job) => (await cells()).preparedCells(context, job),
    sums: async (job) => (await sums()).preparedSums(context, job),
  };
}

function preparedChannels(
  context: Context,
  residents: ResidentCalls,
  encodings: () => Promise<Encodings>,
  job: CountJob,
): Prepared {
  const encode = async (steps: ChannelsSteps | null, target: EncodeTarget, { signal }: RunOptions) =>
    (await encodings()).encode({ ...job, steps }, target, signal);
  if (job.lowering.kind === "constant") {
    return {
      launch: frozen({ kernels: ["fold"] }),
      count: async () => {
        throw new Error("expected the engine to count samples of one constant code itself");
      },
      encode: (target, options) => encode(null, target, options),
    };
  }
  const steps = prepareChannels(job, context.catalog, context.of);
  context.compiled(steps);
  const one: Prepared["count"] = (input, options) =>
    context.run(input.kind, options, () =>
      countChannels(context, steps, chunksOf(context, input, options), options),
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
    accumulator: () => accumulatorOf(context, steps),
    // This does not wait for its turn, because it shares no buffer with other calls.
    encode: (target, options) => encode(steps, target, options),
  };
}

/** Returns counts that stay on the device. Their code is loaded with the first call. */
function accumulatorOf(context: Context, steps: ChannelsSteps): Accumulator {
  const made = loadedOnce(async () => {
    const { DeviceAccumulator } = await accumulating();
    return new DeviceAccumulator(context, steps);
  });
  return {
    add: async (...call) => (await made()).add(...call),
    take: async (...call) => (await made()).take(...call),
    free: async () => (await made()).free(),
  };
}
