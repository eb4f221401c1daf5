import type { Axis } from "@polybin/core";
import { axisBeforehand, dataRange } from "@polybin/core/backend";
import { AXES } from "./axes.ts";
import { type Data, extentOf } from "./samples.ts";
import type { Over } from "./step.ts";

const shared: readonly Axis[] = AXES.map((make) => make());

/** Returns what a request passes to name its axis. */
export function asked(
  over: Over,
): { axis: Axis } | { bins: number; range: [number, number] | "data" | "type" } {
  if ("axis" in over) return { axis: over.anew ? AXES[over.axis]!() : shared[over.axis]! };
  const { bins, range } = over;
  return { bins, range: typeof range === "string" ? range : [range[0], range[1]] };
}

/** Returns the axis of a request by the definition. The data decide it in some requests. */
export function axisOf(over: Over, data: Data, channels: readonly number[]): Axis {
  if ("axis" in over) return shared[over.axis]!;
  const known = axisBeforehand(data.type, asked(over));
  if (known !== null) return known;
  const [min, max] = extentOf(data, channels);
  return dataRange(over.bins, data.type, min, max);
}
