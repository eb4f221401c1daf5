import { isClosed } from "./axis.ts";
import type { Axis } from "./types.ts";

/** Numbers of axes with lists of values or edges, which take too long to write out. */
const numbers = new WeakMap<Axis, number>();
let last = 0;

/**
 * Returns a text that only equal axes share. It names every field of an axis. Axes with a list are frozen when they are
 * made, so a number stands for the list of each object.
 */
export function axisKey(axis: Axis): string {
  return [axis.type, ...fieldsOf(axis).map((field) => (Object.is(field, -0) ? "-0" : field))].join(" ");
}

function fieldsOf(axis: Axis): readonly (string | number | boolean)[] {
  switch (axis.type) {
    case "integer":
      return [axis.start, axis.stop];
    case "regular":
      return [axis.bins, axis.lo, axis.hi, axis.spacing, isClosed(axis)];
    case "circular":
      return [axis.bins, axis.lo, axis.hi];
    case "boolean":
      return [];
    case "variable":
    case "category":
      return [numberOf(axis)];
  }
}

function numberOf(axis: Axis): number {
  const number = numbers.get(axis) ?? ++last;
  numbers.set(axis, number);
  return number;
}
