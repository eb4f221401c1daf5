import { type Axis, boolean, category, circular, integer, log, regular, variable } from "@polybin/core";

/** Makes an axis. Each call makes another object. */
type Make = () => Axis;

/**
 * Axes that share parts with each other: the intervals that devices count, the number of bins, the edges, or the values.
 * A memory could mistake such a part for the whole axis.
 */
export const AXES: readonly Make[] = [
  () => integer(1, 3),
  () => category([2, 1]),
  () => category([1, 2]),
  () => regular(2, 1, 3),
  () => regular(2, 1, 3, { closed: false }),
  () => variable([1, 2, 3]),
  () => variable([1, 2, 3], { closed: false }),
  () => category(["no", "yes"]),
  () => category([0, 1]),
  () => category([1, 0]),
  () => integer(0, 2),
  () => boolean(),
  () => circular(3, 3),
  () => circular(3, 1, 4),
  () => circular(3, -3, 0),
  () => integer(0, 3),
  () => category([2, 0, 1]),
  () => category(["a", "b", "c"]),
  () => circular(4, 1),
  () => circular(4, 0.5, 1.5),
  () => integer(0, 16),
  () => regular(16, 0, 16),
  () => regular(16, 0, 16, { closed: false }),
  () => regular(16, -0, 16),
  () => regular(16, -1, 15),
  () => circular(16, 16),
  () => circular(16, -8, 8),
  () => category([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
  () => variable(Array.from({ length: 17 }, (_, i) => i)),
  () =>
    variable(
      Array.from({ length: 17 }, (_, i) => i),
      { closed: false },
    ),
  () => variable([-Infinity, 0, 2, 2.5, Infinity]),
  () => variable([-Infinity, 0, 2, 2.5, 65_504]),
  () => log(4, 1, 16),
  () => regular(1, 0, 1),
  () => integer(-3, 13),
  () => regular(7, -3, 100),
  () => category([100, -3, 31, 17]),
  () => integer(0, 256),
  () => category([300, 301]),
];

/** Indices of axes that are easily mistaken for each other. */
export const ALIKE: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6],
  [7, 8, 9, 10, 11],
  [12, 13, 14, 15, 16, 17],
  [18, 19, 30, 31, 32],
  [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 34],
];

/** Returns an axis as code. */
export function axisCode(axis: Axis): string {
  const number = (value: number) => (Object.is(value, -0) ? "-0" : String(value));
  const list = (values: readonly (number | string)[]) =>
    `[${values.map((value) => (typeof value === "string" ? JSON.stringify(value) : number(value))).join(", ")}]`;
  const open = "closed" in axis && axis.closed === false ? ", { closed: false }" : "";
  switch (axis.type) {
    case "integer":
      return `integer(${axis.start}, ${axis.stop})`;
    case "regular":
      return `regular(${axis.bins}, ${number(axis.lo)}, ${number(axis.hi)}${open})`;
    case "variable":
      return `variable(${list(axis.edges)}${open})`;
    case "category":
      return `category(${list(axis.values)})`;
    case "boolean":
      return "boolean()";
    case "circular":
      return `circular(${axis.bins}, ${number(axis.lo)}, ${number(axis.hi)})`;
  }
}
