import {
  checkedBy,
  checkNames,
  checkObject,
  type DeviceLimits,
  expected,
  MAX_BINS,
  PolybinError,
} from "../../base/index.ts";
import { checkedChannels, checkedWhole, SAMPLE_TYPES } from "../../input/index.ts";
import type { Lowering } from "../../lowering/index.ts";
import {
  type Algorithm,
  PARAMETER_NAMES,
  PARAMETER_RULES,
  type Parameters,
  type Plan,
  type PlanRequest,
  planBy,
} from "../../plan/index.ts";
import { algorithms } from "./registry.ts";

/** The plan of a request on a device, or the sentence that says why there is none. @throws ERR_INPUT for a parameter */
export function planOrReason(request: PlanRequest, limits: DeviceLimits): Plan | string {
  const algorithm = algorithms[request.algorithm];
  return planBy(algorithm, checkedParameters(algorithm, request), request, limits);
}

/** The plan of a request. @throws ERR_UNSUPPORTED where the device cannot; ERR_INPUT for a wrong parameter. */
export function plan(request: PlanRequest, limits: DeviceLimits): Plan {
  const found = planOrReason(request, limits);
  if (typeof found !== "string") return found;
  throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm: request.algorithm });
}

/** A request from outside: its names and values, as far as a plan trusts them. @throws ERR_INPUT, ERR_UNSUPPORTED */
export function checkRequest(request: PlanRequest): void {
  checkNames(request, REQUEST_NAMES, { of: "a request" });
  const { algorithm, type, lowering, samples, channels } = request;
  if (!Object.hasOwn(algorithms, algorithm)) {
    throw expected("ERR_UNSUPPORTED", "algorithm", "the name of an algorithm", algorithm);
  }
  if (!SAMPLE_TYPES.includes(type))
    throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
  checkObject(lowering, { of: "lowering" });
  if (!LOWERING_KINDS.includes(lowering.kind)) {
    throw expected("ERR_INPUT", "lowering.kind", `one of ${LOWERING_KINDS.join(", ")}`, lowering.kind);
  }
  checkedWhole(lowering.bins, "lowering.bins", 1, MAX_BINS);
  checkedWhole(samples, "samples", 0);
  checkedChannels(channels, "channels");
}

/** The given parameters of an algorithm. @throws ERR_INPUT for one that it does not take or out of range. */
export function checkedParameters(algorithm: Algorithm, given: Parameters): Parameters {
  return checkedBy(PARAMETER_RULES, Object.values(algorithms), algorithm, given);
}

/** What a request holds. */
const REQUEST_NAMES: readonly (keyof PlanRequest)[] = [
  "algorithm",
  "type",
  "lowering",
  "lookup",
  "samples",
  "channels",
  ...PARAMETER_NAMES,
];

const LOWERING_KINDS: readonly Lowering["kind"][] = ["constant", "direct", "table", "keys"];
