import {
  bytesOf,
  checkedProfileOptions,
  columnsOf,
  firstPass,
  knownExtents,
  type PassPlan,
  type ProfileJson,
  type ProfileOptions,
  ProfilePartial,
  planAfter,
  profileJson,
} from "@polybin/columns/profile";
import { type Engine, PolybinError } from "@polybin/core";
import { checkTask } from "./check-task.ts";
import type { Inputs } from "./inputs.ts";
import { type CountTask, countTask } from "./passes.ts";
import type { ProfilePayload } from "./payload.ts";
import type { Cut } from "./shard.ts";
import type { Task, TaskColumn } from "./task.ts";

/** The options of a profile that is counted in shards. Shards keep no values, so `keepBytes` has no meaning. */
export type ShardedProfileOptions = Pick<
  ProfileOptions,
  "columns" | "bins" | "ranges" | "joint" | "correlations" | "duplicates" | "top" | "distinctLimit"
>;

/** Runs the passes of a profile. */
export async function profilePasses(
  inputs: Inputs,
  options: ShardedProfileOptions,
  cut: Cut,
  count: CountTask,
  by: Pick<Engine, "backend" | "device">,
): Promise<ProfileJson> {
  const start = performance.now();
  const { request, columns: names, top } = checkedProfileOptions(options);
  const columns = columnsOf(inputs.tables, names, request);
  const passes: ProfilePartial[] = [];
  const passMs: number[] = [];
  let rows: ProfilePayload["files"] = [];
  let plan: PassPlan | null = firstPass(columns, knownExtents(inputs.tables, columns), request);
  while (plan !== null) {
    const before = performance.now();
    const task = profileTask(inputs, plan);
    const result = await countTask(inputs, task, cut, count, passes.length);
    if (result.count !== "profile") throw new PolybinError("ERR_INTERNAL", "expected a profile of the pass");
    if (passes.length === 0) rows = result.files;
    passes.push(ProfilePartial.fromBytes(result.bytes, task.options as unknown as PassPlan));
    passMs.push(performance.now() - before);
    plan = planAfter(passes, request);
  }
  const rowsOf = new Map(rows);
  const files = inputs.tables.map(({ name, format }, i) => ({
    name,
    format,
    rows: rowsOf.get(i) ?? 0,
    bytes: bytesOf(inputs.tables[i]!),
  }));
  const timings = { totalMs: performance.now() - start, passMs };
  return profileJson({
    passes,
    columns,
    tables: inputs.tables,
    files,
    engine: by,
    reads: passes.length,
    timings,
    top,
  });
}

/** The task of one pass, as a worker receives it. */
function profileTask({ files, read }: Inputs, plan: PassPlan): Task {
  const columns = plan.columns.map(({ name, logical }): TaskColumn => ({ name, type: logical, axis: null }));
  const task = { version: 1, count: "profile", files, columns, by: null, read, options: plan };
  return checkTask(JSON.parse(JSON.stringify(task)));
}
