import { type Backend, PolybinError } from "@polybin/core";
import { type Calls, callsOn } from "./shared-engine.ts";

export * from "@polybin/core";

const calls: Calls = callsOn(cpuBackends, () => import("@polybin/columns"));

/**
 * Counts the samples of one channel, as an engine's `histogram` does, or a column of a table. The first call opens the
 * fastest CPU backend that works here, which stays open for the calls after it.
 *
 * A path, a URL and an open table are tables. A File is one, unless `type` says that it has plain values. A Blob, bytes and
 * streams are samples, unless `column` or `format` is given.
 * @throws everything that an engine's `histogram` and `histogram` of `@polybin/columns` throw.
 */
export const histogram: Calls["histogram"] = calls.histogram;

/**
 * Counts each interleaved channel, as an engine's `histograms` does, on the same engine as `histogram`.
 * @throws everything that an engine's `histograms` throws.
 */
export const histograms: Calls["histograms"] = calls.histograms;

/**
 * Counts how often values of several columns occur together, as an engine's `joint` does, or columns of a table, on the
 * same engine as `histogram`.
 * @throws everything that an engine's `joint` and `joint` of `@polybin/columns` throw.
 */
export const joint: Calls["joint"] = calls.joint;

/**
 * Profiles a table, or open tables together, as `profile` of `@polybin/columns/profile` does.
 * @throws everything that `profile` of `@polybin/columns` throws.
 */
export const profile: Calls["profile"] = calls.profile;

/**
 * Compares two tables column by column, as `compare` of `@polybin/columns` does.
 * @throws everything that `compare` of `@polybin/columns` throws.
 */
export const compare: Calls["compare"] = calls.compare;

/**
 * Opens an engine of your own. Without `backend` and `backends`, it takes the fastest CPU backend that works here: compiled
 * kernels, else worker threads, else this thread.
 * @throws everything that core's `openEngine` throws.
 */
export const openEngine: Calls["openEngine"] = calls.openEngine;

/** Worker threads are loaded only where there are no compiled kernels. */
async function cpuBackends(): Promise<readonly Backend[]> {
  const { native } = await import("@polybin/native");
  const compiled = native();
  return (await compiled.probe()).available ? [compiled] : [compiled, await workers()];
}

async function workers(): Promise<Backend> {
  try {
    return (await import("@polybin/piscina")).piscina();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return missing("piscina", "@polybin/piscina is not installed: npm omits it with --omit=optional");
  }
}

/** A backend that `engine.skipped` lists with a reason. */
function missing(id: string, reason: string): Backend {
  return {
    id,
    algorithms: [],
    probe: async () => ({ available: false, reason }),
    open: async () => {
      throw new PolybinError("ERR_UNAVAILABLE", reason, { backend: id });
    },
  };
}
