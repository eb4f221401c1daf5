import type { Axis } from "@polybin/core";
import { axisBeforehand, dataRange } from "@polybin/core/backend";
import { AXES } from "./axes.ts";
import type { Column, Over, Request } from "./request.ts";
import { extentOf } from "./samples.ts";

const shared: readonly Axis[] = AXES.map((make) => make());

const namedBy = (axis: number | Axis): Axis => (typeof axis === "number" ? shared[axis]! : axis);

/** Returns what a request passes to name its axis. */
export function asked(
  over: Over,
): { axis: Axis } | { bins: number; range: [number, number] | "data" | "type" } {
  if ("axis" in over) {
    const { axis, anew } = over;
    return { axis: anew && typeof axis === "number" ? AXES[axis]!() : namedBy(axis) };
  }
  const { bins, range } = over;
  return { bins, range: typeof range === "string" ? range : [range[0], range[1]] };
}

/** Returns what a list of axes has for a column. */
export function listed(over: Over): Axis | { bins: number; range: [number, number] | "data" | "type" } {
  const one = asked(over);
  return "axis" in one ? one.axis : one;
}

/** Returns the axis of a column by the definition. The data decide it in some requests. */
function axisIn({ over, data, channel }: Column, channels: readonly number[] = [channel]): Axis {
  if ("axis" in over) return namedBy(over.axis);
  const known = axisBeforehand(data.type, asked(over));
  if (known !== null) return known;
  const [min, max] = extentOf(data, channels);
  return dataRange(over.bins, data.type, min, max);
}

/** Returns the axes of a request by the definition. Results of channels over one axis share it. */
export function axesIn({ columns, as }: Request): readonly Axis[] {
  const all = columns.map(({ channel }) => channel);
  return columns.map((column) => axisIn(column, as === "each" ? all : undefined));
}
