import type { Axis } from "@polybin/core";

/** Codes of an axis: its bins, and then underflow, overflow and NaN. A boolean axis has its bins alone. */
export function extentOf({ type, bins }: Axis): number {
  return type === "boolean" ? bins : bins + 3;
}

/** Cells of a joint histogram over these axes. */
export function cellsOfJoint(axes: readonly Axis[]): number {
  return axes.reduce((cells, axis) => cells * extentOf(axis), 1);
}
