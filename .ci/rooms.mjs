/**
 * The rooms of each package and app: folders of its `src`, each with a door, `index.ts`. There is one list per level, the
 * lowest first. A room imports the doors of lower levels, and nothing on its own level or above. Nobody imports a room without a
 * door. Files of `src` itself are the package's entries. They import any door, or a file behind it if the door's types
 * would lead too far. No room imports them.
 *
 * The rules skip a package without any of its rooms. With one of them, the list must name every folder of its `src`.
 * @type {Record<string, string[][]>}
 */
export const ROOMS = {
  "packages/core": [
    ["base"],
    ["input"],
    ["axis", "weights"],
    ["lowering"],
    ["plan"],
    ["algorithms", "result"],
    ["backend"],
    ["cpu"],
    // The multithreaded backend counts as core's own does; the engine knows neither it nor any other. `sync` needs no engine.
    ["engine", "multithreaded", "sync"],
  ],
  "packages/webgpu": [["base"], ["platform"], ["kernels"], ["memory"], ["run"], ["dawn"]],
  "packages/piscina": [["platform"], ["input"], ["kernels"], ["counting"], ["worker"], ["run"]],
  "packages/columns": [
    ["source", "plots"],
    ["table"],
    ["pool"],
    ["formats"],
    ["count", "profile"],
    ["compare"],
    ["report"],
  ],
  "packages/cluster": [["shards"], ["queue"]],
  "packages/native": [["border"], ["platform", "text"], ["kernels", "webassembly"], ["run"]],
  "packages/cuda": [["base"], ["border"], ["platform"], ["memory"], ["kernels"], ["run"]],
  // One room per command over what commands share: the table of options, inputs, tables and outputs.
  "apps/cli": [
    ["base"],
    ["terminal", "engine", "values"],
    ["options", "input"],
    ["output"],
    ["tables"],
    ["hist", "joint", "profile", "tone", "weighted", "backends", "bench", "dashboard", "completions", "demo"],
    ["cluster", "merge"],
  ],
  "apps/dashboard": [["data"], ["show"], ["try"], ["views"]],
  benchmarks: [
    ["command", "data", "page", "programs", "sources"],
    ["ceilings"],
    ["runner"],
    ["compare", "peers", "stale", "tables"],
    ["axes"],
    ["suites"],
    ["bundle"],
  ],
};

/**
 * Their rooms have levels, but no doors: a room imports any file of lower levels. A program that is measured loads nothing
 * that it does not need.
 */
export const WITHOUT_DOORS = ["benchmarks"];
