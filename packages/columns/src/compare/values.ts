import { type Counted, compareValues, topJson, type Value } from "../profile/index.ts";
import type { ValueSetJson } from "./json.ts";

/** A value of either side with its count on both. */
export interface Both {
  readonly value: Value;
  readonly a: number;
  readonly b: number;
}

/** The values of both sides together, in ascending order. */
export function bothOf(a: readonly Counted[], b: readonly Counted[]): Both[] {
  const [left, right] = [a, b].map((side) => [...side].sort((x, y) => compareValues(x.value, y.value))) as [
    Counted[],
    Counted[],
  ];
  const both: Both[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [x, y] = [left[i], right[j]];
    const order = x === undefined ? 1 : y === undefined ? -1 : compareValues(x.value, y.value);
    both.push({
      value: order <= 0 ? x!.value : y!.value,
      a: order <= 0 ? x!.count : 0,
      b: order >= 0 ? y!.count : 0,
    });
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return both;
}

/** The values that one side has and the other one does not. */
export function onlyIn(
  side: "a" | "b",
  both: readonly Both[],
  isBoolean: boolean,
  most: number,
): ValueSetJson {
  const other = side === "a" ? "b" : "a";
  const found = both
    .filter((one) => one[other] === 0)
    .map((one): Counted => ({ value: one.value, count: one[side] }))
    .sort((x, y) => y.count - x.count || compareValues(x.value, y.value));
  return {
    distinct: found.length,
    rows: found.reduce((sum, { count }) => sum + count, 0),
    top: found.slice(0, most).map((one) => topJson(one, isBoolean)),
  };
}
