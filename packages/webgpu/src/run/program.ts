import type { Chunk, Data, Dispatch } from "../kernels/index.ts";
import type { Hardware, Kernel } from "../platform/index.ts";
import { type CountStage, type CountSteps, countsOf } from "./prepare-count.ts";

/** Compiled steps: the dispatches for a chunk, and the room that they need. */
export interface Program {
  /** Returns the bytes of codes for chunks of up to this number of pixels. 0 means that no codes are written. */
  codesBytes(pixels: number): number;
  dispatches(chunk: Chunk): Dispatch[];
}

type Ready = Pick<Dispatch, "kernel" | "pipeline">;

/** Compiles what a job needs. */
export async function compile({ pipelines }: Hardware, steps: CountSteps): Promise<Program> {
  const compiled = async (kernel: Kernel): Promise<Ready> => ({
    kernel,
    pipeline: await pipelines.of(kernel),
  });
  const [stages, lower] = await Promise.all([
    Promise.all(steps.stages.map(async (stage) => ({ ...stage, ...(await compiled(stage.kernel)) }))),
    steps.lower && compiled(steps.lower.kernel),
  ]);
  return {
    codesBytes: (pixels) =>
      lower === null ? 0 : Math.min(pixels, steps.codes) * Uint32Array.BYTES_PER_ELEMENT,
    dispatches: (chunk) => {
      if (steps.reads === "samples") return overSamples(steps, stages, chunk);
      return lower === null
        ? passes(steps, stages, chunk.data, chunk.pixels, 0)
        : overCodes(steps, stages, lower, chunk);
    },
  };
}

type ReadyStage = CountStage & Ready;

/** Counts all channels at once. The kernels find rows themselves. */
function overSamples(
  { plan, interleaved, lowering, own }: CountSteps,
  stages: readonly ReadyStage[],
  { data, pixels }: Chunk,
): Dispatch[] {
  const params = {
    count: pixels * interleaved,
    first: 0,
    cells: plan.cells,
    to: 0,
    ...lowering.params,
    ...own,
  };
  return stages.map((stage) => ({ ...stage, params, data }));
}

/** Counts channel by channel: it writes a number of codes and then counts them. */
function overCodes(
  steps: CountSteps,
  stages: readonly ReadyStage[],
  lower: Ready,
  { data, pixels }: Chunk,
): Dispatch[] {
  const { plan, channels, lowering, codes } = steps;
  const all: Dispatch[] = [];
  for (let first = 0; first < pixels; first += codes) {
    const count = Math.min(codes, pixels - first);
    for (const [i, channel] of channels.entries()) {
      const to = i * countsOf(plan);
      all.push(
        {
          ...lower,
          params: { ...lowering.params, count, first, channel, cells: plan.cells, to },
          data,
          scratch: "codes",
          grid: [steps.lower!.grid(count)],
        },
        ...passes(steps, stages, "codes", count, i),
      );
    }
  }
  return all;
}

/** Counts the codes of a channel, one range of cells per pass. */
function passes(
  { plan, own }: CountSteps,
  stages: readonly ReadyStage[],
  data: Data,
  count: number,
  channel: number,
): Dispatch[] {
  return Array.from({ length: plan.passes }, (_, i) => {
    const first = i * plan.cellsPerPass;
    const cells = Math.min(plan.cellsPerPass, plan.cells - first);
    const tables = plan.partials && { tables: plan.partials.tables };
    const params = { count, first, cells, to: channel * countsOf(plan) + first, ...tables, ...own };
    return stages.map((stage): Dispatch => ({ ...stage, params, data }));
  }).flat();
}
