import { selectWeightedPlan, weightedPlanOrReason } from "../../algorithms/index.ts";
import { type Device, kindsOf } from "../../backend/index.ts";
import { PolybinError } from "../../base/index.ts";
import {
  type ComposedAlgorithm,
  isComposed,
  isMethod,
  type SumsPlan,
  type WeightedAlgorithm,
  type WeightedRequest,
} from "../../plan/index.ts";
import type { OpenBackend } from "../opened/open-backend.ts";

/** A device with feature tables. */
export type TableDevice = Device & Required<Pick<Device, "uploadTable">>;

/** The parts of an engine that its tables use. */
export interface OpenTables extends OpenBackend {
  readonly device: TableDevice;
  /** Algorithms with kernels, and algorithms that choose among them. */
  readonly methods: readonly WeightedAlgorithm[];
  readonly composed: readonly ComposedAlgorithm[];
}

/** Returns whether a device adds up weights over feature tables. */
export function hasTables({ device }: Pick<OpenBackend, "device">): boolean {
  return device.uploadTable !== undefined && kindsOf(device).includes("sums");
}

/** @throws ERR_UNSUPPORTED if the device has no tables. */
export function tablesOf(opened: OpenBackend): OpenTables {
  const { backend, device, weighted } = opened;
  if (!hasTables(opened)) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `${backend} has no weighted sums yet: open a backend that lists weighted algorithms, such as cpu`,
    );
  }
  return {
    ...opened,
    device: device as TableDevice,
    methods: weighted.filter(isMethod),
    composed: weighted.filter(isComposed),
  };
}

/**
 * Plans a method on a host. @throws ERR_UNSUPPORTED if the host lacks the method or cannot run it; ERR_INPUT for a
 * parameter
 */
export function planOn(opened: OpenTables, method: string, request: WeightedRequest): SumsPlan {
  const { device, methods } = opened;
  const refuses = (plan: SumsPlan) => device.refuses?.(plan) ?? null;
  if (method === "auto") return selectWeightedPlan(request, device.limits, methods, refuses);
  const found = planOrReasonOn(opened, method, request);
  if (typeof found === "string") throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm: method });
  return found;
}

/** Plans a method, or states why there is no plan. @throws ERR_UNSUPPORTED if the host lacks the method; ERR_INPUT */
export function planOrReasonOn(
  opened: OpenTables,
  method: string,
  request: WeightedRequest,
): SumsPlan | string {
  const { device, methods } = opened;
  checkHas(opened, method);
  const found = weightedPlanOrReason(method, request, device.limits, methods);
  if (typeof found === "string") return found;
  return device.refuses?.(found) ?? found;
}

/** @throws ERR_UNSUPPORTED unless the backend lists the slug. */
function checkHas({ backend, weighted }: OpenTables, slug: string): void {
  const all = weighted.map((one) => one.slug);
  if (all.includes(slug)) return;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${backend} has no kernel for ${slug}; it has ${all.join(", ")}`,
    {
      algorithm: slug,
    },
  );
}
