/**
 * The rooms of each package: folders of its `src`, each with a door, `index.ts`. From the ground up, a list for each level:
 * a room imports doors of the levels below its own, and nothing beside or above; one without a door is imported by nobody. Files of `src` itself are the package's
 * entries, which import any door, or a file behind one where the types that it exports must lead no further, and which no
 * room imports.
 *
 * A package that has none of its rooms yet is left alone; with one of them, every folder of its `src` must stand here.
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
    // The multithreaded backend counts as core's own does; the engine knows neither it nor any other.
    ["engine", "multithreaded"],
  ],
  "packages/webgpu": [["base"], ["platform"], ["kernels"], ["memory"], ["run"], ["dawn"]],
  "packages/piscina": [["platform"], ["task"], ["kernels"], ["counting"], ["worker"], ["run"]],
  "packages/cuda": [["base"], ["border"], ["platform"], ["memory"], ["kernels"], ["run"]],
};
