import { PolybinError } from "@polybin/core";
import { finish, type TaskResult } from "./finish.ts";
import type { Inputs } from "./inputs.ts";
import type { PartialResult } from "./partial.ts";
import { type Plan, planTask } from "./plan.ts";
import { type Cut, type Shard, shardsOf } from "./shard.ts";
import type { Task } from "./task.ts";

/**
 * Counts all shards of a task and merges them, in this process or on others.
 * @param pass from 0 on
 */
export type CountTask = (task: Task, shards: readonly Shard[], pass: number) => Promise<PartialResult>;

/** The last task of a plan, and its result. */
export interface PlanResult {
  readonly task: Task;
  readonly result: TaskResult;
}

/** Counts a plan: a first pass for the extents if nothing states them, and one for the counts. */
export async function countPlan(inputs: Inputs, plan: Plan, cut: Cut, count: CountTask): Promise<PlanResult> {
  const first = planTask(inputs, plan);
  const found = await countTask(inputs, first, cut, count, 0);
  if (first.count === plan.count) return { task: first, result: found };
  if (found.count !== "extent") throw new PolybinError("ERR_INTERNAL", "expected extents of the first pass");
  const task = planTask(inputs, { ...plan, extents: found.extents });
  return { task, result: await countTask(inputs, task, cut, count, 1) };
}

/** Counts one task. @throws ERR_INPUT if `count` leaves out a shard */
async function countTask(
  inputs: Inputs,
  task: Task,
  cut: Cut,
  count: CountTask,
  pass: number,
): Promise<TaskResult> {
  return finish(task, await count(task, shardsOf(task, inputs.tables, cut), pass));
}
