import type { ProfileJson } from "@polybin/columns/profile";
import type { Engine } from "@polybin/core";
import { loadedOnce } from "@polybin/core/backend";
import type { ComparisonPasses, ShardedCompareOptions } from "./comparison-passes.ts";
import type { Inputs } from "./inputs.ts";
import type { CountTask } from "./passes.ts";
import type { ProfilePasses, ShardedProfileOptions } from "./profile-passes.ts";
import { type Cut, shardsOf } from "./shard.ts";

const profiling = loadedOnce(() => import("./profile-passes.ts"));

/**
 * Opens the passes of a profile, whose tasks processes count in shards.
 * @throws ERR_INPUT for options, columns that do not exist, or one column with two types.
 */
export async function profilePasses(inputs: Inputs, options: ShardedProfileOptions): Promise<ProfilePasses> {
  const { ProfilePasses, sampleIn } = await profiling();
  return new ProfilePasses(inputs, options, await sampleIn(inputs, options));
}

const comparing = loadedOnce(() => import("./comparison-passes.ts"));

/** Opens the passes of two profiles that are compared. @throws as `profilePasses` */
export async function comparisonPasses(
  a: Inputs,
  b: Inputs,
  options: ShardedCompareOptions,
): Promise<ComparisonPasses> {
  const { ComparisonPasses } = await comparing();
  return new ComparisonPasses(a, b, options);
}

/**
 * Counts the passes of a profile that are left: one for moments and values, one more for everything that needs the ranges
 * that the first one found, and one for correlations.
 * @param by says which backend and device counted, for the result
 * @throws ERR_INPUT if `count` leaves out a shard.
 */
export async function profileInShards(
  inputs: Inputs,
  passes: ProfilePasses,
  cut: Cut,
  count: CountTask,
  by: () => Pick<Engine, "backend" | "device">,
): Promise<ProfileJson> {
  const start = performance.now();
  const passMs: number[] = [];
  while (passes.task !== null) {
    const before = performance.now();
    const { task } = passes;
    passes.add(await count(task, shardsOf(task, inputs.tables, cut), passes.count));
    passMs.push(performance.now() - before);
  }
  return passes.json(by(), { totalMs: performance.now() - start, passMs });
}
