import {
  type ColumnPlan,
  type HeavyPlan,
  type JointPlan,
  OVER_UNITS,
  type OverPlan,
  type PairsPlan,
  type PassPlan,
  type SamplePlan,
} from "@polybin/columns/profile";
import type { Axis } from "@polybin/core";
import { checkNames, expected, limits } from "@polybin/core/backend";
import { checkAxis, checkType } from "./check-column.ts";
import { checkedChoice, checkedList, checkedNumber, checkedText } from "./checked.ts";
import {
  MAX_BINS,
  MAX_DISTINCT,
  MAX_HASH_CELLS,
  MAX_OVER_BINS,
  MAX_PAIRED,
  MAX_PAIRED_BINS,
  MAX_PAIRS,
  MAX_TASK_COLUMNS,
} from "./limits.ts";
import type { Task } from "./task.ts";

/** Returns the plan of a profile's pass, which the options of its task are. @throws ERR_INPUT, ERR_LIMIT, ERR_AXIS */
export function checkPlan({ options, columns }: Task): PassPlan {
  checkNames(options, ["columns", "joint", "pairs", "over", "sample", "rowLimit"], {
    of: "the plan of a profile",
  });
  const plans = checkedList(options.columns, "columns of the plan", MAX_TASK_COLUMNS, 0).map(checkColumn);
  const isSame = plans.length === columns.length && plans.every(({ name }, i) => name === columns[i]!.name);
  if (!isSame) throw expected("ERR_INPUT", "columns of the plan", "those of the task", plans.length);
  const types = new Map(plans.map((plan) => [plan.name, plan]));
  const joint = checkedList(options.joint, "joint of the plan", MAX_PAIRS, 0).map((pair) =>
    checkPair(pair, types),
  );
  const { pairs, over, sample, rowLimit } = options;
  return {
    columns: plans,
    joint,
    pairs: pairs === null ? null : checkPairs(pairs, types),
    over: over === null ? null : checkOver(over, types),
    sample: sample === null ? null : checkSample(sample),
    rowLimit: rowLimit === null ? null : checkedNumber(rowLimit, "rowLimit", 1, MAX_DISTINCT),
  };
}

/** Checks the columns of a plan that are averaged over another one. */
function checkOver(given: unknown, plans: ReadonlyMap<string, ColumnPlan>): OverPlan {
  checkNames(given as object, ["column", "axis", "step", "columns"], { of: "over of the plan" });
  const { column, axis, step, columns } = given as Record<keyof OverPlan, unknown>;
  const numbers = [...plans.values()].filter(({ logical }) => !isText(logical)).map(({ name }) => name);
  const over = checkedChoice(column, numbers, "column of over");
  const checked = checkAxis(axis, plans.get(over)!.logical);
  checkedNumber(checked.bins, "bins of over", 1, MAX_OVER_BINS);
  checkNames(step as object, ["every", "unit"], { of: "the step of over" });
  const { every, unit } = step as Record<keyof OverPlan["step"], unknown>;
  if (typeof every !== "number" || !(every > 0 && every < Infinity))
    throw expected("ERR_INPUT", "every", "a number above 0", every);
  return {
    column: over,
    axis: checked,
    step: { every, unit: unit === null ? null : checkedChoice(unit, OVER_UNITS, "unit") },
    columns: checkedList(columns, "columns of over", MAX_TASK_COLUMNS, 0).map((name) =>
      checkedChoice(name, numbers, "a column of over"),
    ),
  };
}

function checkSample(given: unknown): SamplePlan {
  checkNames(given as object, ["seed", "below"], { of: "the sample of the plan" });
  const { seed, below } = given as Record<keyof SamplePlan, unknown>;
  if (typeof below !== "number" || !(below >= 0 && below <= 1))
    throw expected("ERR_INPUT", "below", "a number from 0 to 1", below);
  return { seed: checkedNumber(seed, "seed", 0, limits.U32_MAX), below };
}

const isText = ({ kind }: ColumnPlan["logical"]): boolean => kind === "string" || kind === "refused";

/** Checks the columns of a plan whose pairs are counted. */
function checkPairs(given: unknown, plans: ReadonlyMap<string, ColumnPlan>): PairsPlan {
  checkNames(given as object, ["columns", "nullable"], { of: "pairs of the plan" });
  const { columns, nullable } = given as Record<keyof PairsPlan, unknown>;
  const planOf = (name: unknown): ColumnPlan => {
    const plan = plans.get(checkedText(name, "name of a column", 0));
    if (plan === undefined) throw expected("ERR_INPUT", "pairs of the plan", "columns of the plan", name);
    return plan;
  };
  return {
    columns: checkedList(columns, "columns of pairs", MAX_PAIRED, 0).map((column) => {
      checkNames(column as object, ["name", "axis"], { of: "a column of pairs" });
      const { name, axis } = column as Record<"name" | "axis", unknown>;
      const { logical } = planOf(name);
      const checked = checkAxis(axis, logical);
      checkedNumber(checked.bins, "bins of a column of pairs", 1, MAX_PAIRED_BINS);
      return { name: name as string, axis: checked };
    }),
    nullable: checkedList(nullable, "columns with nulls", MAX_PAIRED, 0).map((name) => planOf(name).name),
  };
}

function checkColumn(given: unknown): ColumnPlan {
  const names = ["name", "logical", "moments", "distinctLimit", "axis", "joined", "whole", "heavy"];
  checkNames(given as object, names, { of: "a column of the plan" });
  const { moments, distinctLimit, axis, whole, heavy, ...column } = given as Record<
    keyof ColumnPlan,
    unknown
  >;
  const logical = checkType(column.logical);
  if (typeof moments !== "boolean") throw expected("ERR_INPUT", "moments", "true or false", moments);
  if (typeof whole !== "boolean") throw expected("ERR_INPUT", "whole", "true or false", whole);
  return {
    name: checkedText(column.name, "name of a column", 0),
    logical,
    moments,
    distinctLimit:
      distinctLimit === null ? null : checkedNumber(distinctLimit, "distinctLimit", 1, MAX_DISTINCT),
    axis: axis === null ? null : checkAxis(axis, logical),
    joined: checkedNumber(column.joined, "joined", 1, MAX_BINS),
    whole,
    heavy: heavy === null ? null : checkHeavy(heavy),
  };
}

function checkHeavy(given: unknown): HeavyPlan {
  checkNames(given as object, ["cells", "limit"], { of: "heavy" });
  const { cells, limit } = given as Record<keyof HeavyPlan, unknown>;
  return {
    cells: checkedList(cells, "cells", MAX_HASH_CELLS).map((cell) =>
      checkedNumber(cell, "a cell", 0, MAX_HASH_CELLS - 1),
    ),
    limit: checkedNumber(limit, "limit", 1, MAX_DISTINCT),
  };
}

function checkPair(given: unknown, plans: ReadonlyMap<string, ColumnPlan>): JointPlan {
  checkNames(given as object, ["columns", "axes"], { of: "a pair" });
  const { columns, axes } = given as Record<keyof JointPlan, unknown>;
  const names = checkedList(columns, "columns of a pair", 2, 2).map((name) =>
    checkedText(name, "name of a column", 0),
  );
  const over = checkedList(axes, "axes of a pair", 2, 2).map((axis, i): Axis => {
    const plan = plans.get(names[i]!);
    if (plan === undefined) throw expected("ERR_INPUT", "columns of a pair", "columns of the plan", names[i]);
    return checkAxis(axis, plan.logical);
  });
  return { columns: names as [string, string], axes: over as [Axis, Axis] };
}
