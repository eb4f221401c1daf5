import { PolybinError } from "@polybin/core";
import { finish, type TaskResult } from "./finish.ts";
import type { Inputs } from "./inputs.ts";
import type { PartialResult } from "./partial.ts";
import type { ColumnExtent } from "./payload.ts";
import { type Plan, planTask, statedColumns } from "./plan.ts";
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

/**
 * Counts a plan: a first pass for the extents if nothing states them, and one for the counts. If values lie outside of the
 * extents that files state, two more passes count all of them.
 */
export async function countPlan(inputs: Inputs, plan: Plan, cut: Cut, count: CountTask): Promise<PlanResult> {
  let pass = 0;
  const countNext = (task: Task) => countTask(inputs, task, cut, count, pass++);
  const extentsOf = async (task: Task): Promise<ReadonlyMap<string, ColumnExtent>> => {
    const found = await countNext(task);
    if (found.count !== "extent")
      throw new PolybinError("ERR_INTERNAL", "expected extents of the first pass");
    return found.extents;
  };
  const first = planTask(inputs, plan);
  const isCounted = first.count === plan.count;
  const extents = isCounted ? (plan.extents ?? new Map()) : await extentsOf(first);
  const task = isCounted ? first : planTask(inputs, { ...plan, extents });
  const result = await countNext(task);
  const stated = statedColumns(inputs, { ...plan, extents });
  if (!stated.some(({ name }) => hasOutside(result, task, name))) return { task, result };
  const own = await extentsOf(planTask(inputs, { ...plan, count: "extent", columns: stated, by: null }));
  const again = planTask(inputs, { ...plan, extents: new Map([...extents, ...own]) });
  return { task: again, result: await countNext(again) };
}

/** Returns the columns of a shard that have values outside of the range that the files state. */
export function outsideStated(inputs: Inputs, plan: Plan, task: Task, partial: PartialResult): string[] {
  // As if the shard was everything.
  const result = finish(task, { ...partial, of: 1, covered: [[0, 0]] });
  return statedColumns(inputs, plan)
    .map(({ name }) => name)
    .filter((name) => hasOutside(result, task, name));
}

/** Whether values of a column lie outside of its axis. */
function hasOutside(result: TaskResult, { columns }: Task, name: string): boolean {
  const at = columns.findIndex((column) => column.name === name);
  const own =
    result.count === "hist"
      ? result.columns[at]!.groups.map(({ histogram }) => histogram)
      : result.count === "joint"
        ? [result.joint.project(at)]
        : [];
  return own.some(({ underflow, overflow }) => underflow + overflow > 0);
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
