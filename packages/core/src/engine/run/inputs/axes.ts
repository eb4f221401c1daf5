import {
  type Axis,
  type AxisOptions,
  axisUnread,
  checkAxisOptions,
  checkedAxis,
  checkNoRule,
} from "../../../axis/index.ts";
import { axisFor } from "../../channels/axis-for.ts";
import type { OpenBackend } from "../../opened/open-backend.ts";
import type { OpenInput } from "./inputs.ts";

/** Returns the options of an axis, which may be given as an axis. @throws ERR_AXIS, ERR_INPUT */
export function axisOptionsOf(given: Axis | AxisOptions | undefined): AxisOptions {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || "type" in given) return { axis: checkedAxis(given) };
  checkAxisOptions(given);
  return given;
}

/**
 * Returns the axis of channels of an input. If the data decide it, they are read first.
 * @throws ERR_AXIS if the data of a stream would decide it, since it can be read only once; ERR_INPUT
 */
export async function axisOf(
  opened: OpenBackend,
  { whole, type }: OpenInput,
  channels: readonly number[],
  options: AxisOptions,
  { hasWeights, signal }: { readonly hasWeights: boolean; readonly signal: AbortSignal | undefined },
): Promise<Axis> {
  if (hasWeights) checkNoRule(options);
  if (whole !== null) return axisFor(opened, whole, channels, { ...options, signal });
  const why = "it can be read only once, so its range is not known";
  return axisUnread(type, options, `a stream of ${type}`, why);
}
