import { type Axis, type AxisParts, axisBeforehand, binsOf, isEstimated } from "../../axis/index.ts";
import type { RunOptions } from "../../backend/index.ts";
import { loadedOnce } from "../../base/index.ts";
import type { Source } from "../../input/index.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { axisOfData } from "./extent-in.ts";

const estimating = loadedOnce(() => import("./estimate.ts"));

/** Returns the axis of a call. If the data decides the axis, the data is read first. */
export async function axisFor(
  opened: OpenBackend,
  source: Source,
  channels: readonly number[],
  options: AxisParts & Pick<RunOptions, "signal">,
): Promise<Axis> {
  const axis = axisBeforehand(source.type, options);
  if (axis !== null) return axis;
  if (isEstimated(options)) return (await estimating()).estimatedAxis(opened, source, channels, options);
  return axisOfData(opened, source, channels, binsOf(options), { signal: options.signal });
}
