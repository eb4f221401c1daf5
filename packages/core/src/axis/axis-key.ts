import { namesOf } from "./axis.ts";
import type { Axis } from "./types.ts";

/** Numbers of axes with lists of values or edges, which take too long to write out. */
const numbers = new WeakMap<Axis, number>();
let last = 0;

/**
 * Returns a text that only equal axes share. It names every field of an axis. Axes with a list are frozen when they are
 * made, so a number stands for the list of each object.
 */
export function axisKey(axis: Axis): string {
  const fields = axis as unknown as Readonly<Record<string, unknown>>;
  let key = "";
  for (const name of namesOf(axis)) {
    const field = fields[name];
    key += typeof field === "object" ? `${numberOf(axis)} ` : `${Object.is(field, -0) ? "-0" : field} `;
  }
  return key;
}

function numberOf(axis: Axis): number {
  const number = numbers.get(axis) ?? ++last;
  numbers.set(axis, number);
  return number;
}
