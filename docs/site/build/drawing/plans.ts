// The plans that the drawings show. Core's planner makes them for one request on one device, as it does for every call.
import { type CellsPlan, type ChannelsPlan, integer, regular } from "@polybin/core";
import {
  composedAlgorithms,
  type DeviceLimits,
  describePlan,
  jointPlanOrReason,
  lower,
  planOrReason,
  SLUGS,
  type SumsPlan,
  WEIGHTED_SLUGS,
  weightedPlanOrReason,
} from "@polybin/core/backend";

/** The device of all drawings: the GPU that the pages compute their examples for. */
export const GPU: DeviceLimits = {
  kind: "gpu",
  units: 132,
  warp: 32,
  banks: 32,
  sharedBytes: 49_152,
  blockThreads: 1024,
  chunkSamples: 2 ** 30,
};

/** Core's own device, for algorithms that run on one CPU thread. */
const CPU: DeviceLimits = { ...GPU, kind: "cpu", units: 1, warp: 1, banks: 1, blockThreads: 1 };

const SAMPLES = 2 ** 26;
const FEATURES = 136;
const DOCUMENTS = 2 ** 20;

/** A plan, and what it is a plan of. */
export interface Planned {
  readonly slug: string;
  /** The request as words. */
  readonly request: string;
  readonly device: DeviceLimits;
  /** The plan in one line, as core describes it. */
  readonly text: string;
  readonly of:
    | { readonly kind: "counts"; readonly plan: ChannelsPlan }
    | { readonly kind: "joint"; readonly plan: CellsPlan }
    | { readonly kind: "weighted"; readonly plan: SumsPlan };
}

/** Returns the plans of an algorithm: one, or one for each method that it chooses from. Null: no algorithm has the name. */
export function plansOf(slug: string): Planned[] | null {
  if (slug in composedAlgorithms) {
    const { candidates } = composedAlgorithms[slug as keyof typeof composedAlgorithms];
    return candidates(WEIGHTED_BINS).map(weighted);
  }
  if ((WEIGHTED_SLUGS as readonly string[]).includes(slug)) return [weighted(slug)];
  if (!(SLUGS as readonly string[]).includes(slug)) return null;
  return [slug === "fused" ? joint(slug) : counts(slug)];
}

/** The plan on the first device that has one. @throws if none has */
function first<P extends object>(
  slug: string,
  planOn: (device: DeviceLimits) => P | string,
): { plan: P; device: DeviceLimits } {
  const reasons: string[] = [];
  for (const device of [GPU, CPU]) {
    const plan = planOn(device);
    if (typeof plan !== "string") return { plan, device };
    reasons.push(plan);
  }
  throw new Error(`${slug}: expected a plan on one of the devices, but ${reasons.join("; ")}`);
}

function counts(slug: string): Planned {
  const isNarrow = slug === "per-thread-64";
  const column = {
    type: "u8",
    lowering: lower(isNarrow ? regular(64, 0, 256) : integer(0, 256), "u8"),
  } as const;
  const cut = slug === "per-segment" ? { segments: { count: SAMPLES / 2 ** 14, longest: 2 ** 14 } } : {};
  const { plan, device } = first(slug, (limits) =>
    planOrReason({ algorithm: slug, column, samples: SAMPLES, channels: 1, ...cut }, limits),
  );
  const request = `2^26 bytes in ${plan.bins} bins${cut.segments ? ", in segments of 2^14" : ""}`;
  return { slug, request, device, text: describePlan(plan), of: { kind: "counts", plan } };
}

function joint(slug: string): Planned {
  const lowering = lower(regular(16, 0, 256), "u8");
  const column = { ...lowering, type: "u8" } as const;
  const { plan, device } = first(slug, (limits) =>
    jointPlanOrReason(
      slug,
      { columns: [column, column], samples: SAMPLES, mask: "none", listed: false },
      limits,
    ),
  );
  const request = "2^26 pairs of bytes in 16 x 16 bins";
  return { slug, request, device, text: describePlan(plan), of: { kind: "joint", plan } };
}

const WEIGHTED_BINS = 64;

function weighted(slug: string): Planned {
  const { plan, device } = first(slug, (limits) =>
    weightedPlanOrReason(
      slug,
      {
        type: "u8",
        bins: WEIGHTED_BINS,
        features: FEATURES,
        documents: DOCUMENTS,
        precision: "reproducible",
        counts: true,
        squares: false,
      },
      limits,
    ),
  );
  const request = `counts and sums of 2^20 documents in ${WEIGHTED_BINS} bins, for ${FEATURES} features`;
  return { slug, request, device, text: describePlan(plan), of: { kind: "weighted", plan } };
}
