import { limits, type SumsPlan, type ValueType } from "@polybin/core/backend";
import type { ShaderText, WebgpuLimits } from "../../base/index.ts";
import type { Kernel } from "../../platform/index.ts";
import { SHADERS } from "../generated/shaders.ts";
import type { Room, SumsKernel } from "./kernel.ts";
import { paramsOf, SUMS_FIELDS } from "./params.ts";
import { writtenRound } from "./round.ts";

/** The properties of a launch that select its kernel, in addition to the plan. */
export interface SumsNeeds {
  /** Whether the documents are those of a list. */
  readonly listed: boolean;
  /** Whether a value of some feature is skipped. */
  readonly skips: boolean;
}

/** The documents that a thread loads at once, the bytes of their values, and the text that reads them. */
interface Unit {
  readonly documents: number;
  readonly bytes: number;
  readonly text: ShaderText;
}

export const UNITS: Readonly<Record<ValueType, Unit>> = {
  u4: { documents: 8, bytes: 4, text: SHADERS["lib/values-4"] },
  u8: { documents: 4, bytes: 4, text: SHADERS["lib/values-8"] },
  u16: { documents: 4, bytes: 8, text: SHADERS["lib/values-16"] },
};

/** Returns a sentence on why the fetch of a plan does not exist in WGSL, or null if it does. */
export function refusesFetch({ algorithm, parameters }: SumsPlan): string | null {
  return parameters.fetch === "value"
    ? `webgpu has no ${algorithm} with the fetch value: WGSL loads words of 32 bits`
    : null;
}

/** Units of a round, which a thread has in flight. */
const ROUNDS = [8, 4, 2, 1] as const;

/** Returns the units of a thread in a round, or null if even one is more than it may add between two flushes. */
export function roundUnits(
  kernel: SumsKernel,
  plan: SumsPlan,
  { generic }: Pick<WebgpuLimits, "generic">,
): number | null {
  const { flushDocuments, threads, type } = plan;
  const { documents } = UNITS[type];
  const most = flushDocuments === null ? ROUNDS[0] : Math.floor(flushDocuments / (threads * documents));
  if (most < 1) return null;
  if (generic) return 1;
  const wanted = limits.divideCeiling(kernel.unroll(plan), documents);
  return ROUNDS.find((units) => units <= Math.min(most, wanted))!;
}

/** Returns the kernel of a plan as it is compiled. */
export function sumsKernel(kernel: SumsKernel, plan: SumsPlan, needs: SumsNeeds, of: Room): Kernel {
  const { threads: THREADS, featuresPerBlock: FEATURES, type, flushDocuments, squares } = plan;
  const { listed, skips } = needs;
  const { documents, text } = UNITS[type];
  const units = roundUnits(kernel, plan, of)!;
  const round = { features: FEATURES, units, fours: documents / 4, squares, listed };
  return {
    label: kernel.algorithm.slug,
    params: paramsOf(SUMS_FIELDS, kernel.own ?? {}),
    consts: { THREADS, FEATURES, ...kernel.consts?.(plan) },
    ...(!of.generic && { head: writtenRound(round) }),
    parts: [
      SHADERS["lib/sums"],
      text,
      SHADERS["lib/segment"],
      ...(of.generic ? [SHADERS["lib/round-rolled"]] : []),
      ...kernel.parts,
    ],
    entry: "sum",
    bindings: "sums",
    constants: {
      COUNTS: Number(plan.counts),
      SQUARES: Number(plan.squares),
      FLOATS: Number(plan.precision === "fast"),
      LISTED: Number(!of.generic && listed),
      GENERIC: Number(of.generic),
      // The following options are correct in any case, if only slower.
      WINDOWED: Number(of.generic || plan.passes > 1),
      SKIPS: Number(of.generic || skips),
      FLUSHES: Number(of.generic || (flushDocuments !== null && flushDocuments < plan.segmentDocuments)),
      ...kernel.constants(plan, of),
    },
  };
}
