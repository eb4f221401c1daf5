import type { ProfileJson } from "@polybin/columns/profile";
import type { Engine } from "@polybin/core";
import { loadedOnce } from "@polybin/core/backend";
import type { Inputs } from "./inputs.ts";
import type { CountTask } from "./passes.ts";
import type { ShardedProfileOptions } from "./profile-passes.ts";
import type { Cut } from "./shard.ts";

const profiling = loadedOnce(() => import("./profile-passes.ts"));

/**
 * Profiles tables in shards: one pass for moments and values, one more for everything that needs the ranges that the
 * first one found, and one for correlations.
 * @param by the backend and the device that counted, for the result
 * @throws ERR_INPUT for options, columns that do not exist, or one column with two types.
 */
export async function profileInShards(
  inputs: Inputs,
  options: ShardedProfileOptions,
  cut: Cut,
  count: CountTask,
  by: Pick<Engine, "backend" | "device">,
): Promise<ProfileJson> {
  const { profilePasses } = await profiling();
  return profilePasses(inputs, options, cut, count, by);
}
