import { limits, type SumsPlan } from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";
import { type Catalog, roundUnits, type SumsKernel, type SumsValues, UNITS } from "../../kernels/index.ts";

/** Returns a sentence on why the kernels cannot run a plan, or null if they can. */
export function refusesSums(plan: SumsPlan, catalog: Catalog, of: WebgpuLimits): string | null {
  const { algorithm, threads, type, flushDocuments, featuresPerBlock } = plan;
  const kernel = catalog.sums(algorithm);
  if (kernel === null) return `webgpu has no kernel for ${algorithm}`;
  const refused = kernel.refuses?.(plan) ?? null;
  if (refused !== null) return refused;
  if (roundUnits(kernel, plan, of) === null) {
    return `webgpu adds ${threads * UNITS[type].documents} documents per block between two flushes, but at most ${flushDocuments} are allowed`;
  }
  const bytes =
    featuresPerBlock * featureWordsOf(plan, flushesOf(kernel, plan, of).flushes) * limits.WORD_BYTES;
  return bytes > of.chunkBytes
    ? `webgpu would read back ${bytes} bytes of flushed tables, but this device can bind only ${of.chunkBytes}`
    : null;
}

/** Returns the rounds of a block between two flushes, and the flushes of a block. */
export function flushesOf(
  kernel: SumsKernel,
  plan: SumsPlan,
  of: WebgpuLimits,
): Pick<SumsValues, "flushRounds" | "flushes"> {
  const { flushDocuments, segmentDocuments, threads } = plan;
  if (flushDocuments === null) return { flushRounds: limits.U32_MAX, flushes: 1 };
  const roundDocuments = threads * roundUnits(kernel, plan, of)! * UNITS[plan.type].documents;
  const flushRounds = Math.floor(flushDocuments / roundDocuments);
  return { flushRounds, flushes: limits.divideCeiling(segmentDocuments, flushRounds * roundDocuments) };
}

/** Returns the words of a feature's totals (kernels/lib/sums.wgsl). */
export function featureWordsOf(plan: SumsPlan, flushes: number): number {
  const kinds = plan.squares ? 2 : 1;
  const words = plan.precision === "fast" ? plan.segments * flushes : 2;
  return plan.bins * (Number(plan.counts) + words * kinds);
}
