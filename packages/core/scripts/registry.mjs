// Writes src/algorithms/generated from the files of src/algorithms. Each exports one `algorithm`, and the file of the same
// name in the folder references exports its `reference`. registry.ts has the list of algorithms, the unions of slugs and the
// types of the options. references.ts and weighted-references.ts have the references, and limits.ts has the constants.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../src/algorithms/", import.meta.url);
const stems = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && name !== "index.ts")
  .map((name) => name.slice(0, -".ts".length))
  .sort();
const found = await Promise.all(
  stems.map(async (stem) => {
    const { algorithm } = await import(new URL(`${stem}.ts`, folder));
    if (algorithm?.slug !== stem) throw new Error(`${stem}.ts exports no algorithm with this slug`);
    const kind = "candidates" in algorithm ? "composed" : "maxBins" in algorithm ? "plain" : "weighted";
    const isApart = existsSync(new URL(`references/${stem}.ts`, folder));
    if (kind !== "composed" && isApart === (algorithm.reference !== undefined))
      throw new Error(`expected a reference in either ${stem}.ts or references/${stem}.ts`);
    return { isApart, stem, name: `algorithm_${stem.replaceAll("-", "_")}`, kind, algorithm };
  }),
);
const of = (...kinds) => found.filter(({ kind }) => kinds.includes(kind));
const union = (all) => all.map(({ stem }) => `\n  | "${stem}"`).join("");
const record = (all) => all.map(({ stem, name }) => `\n  "${stem}": ${name},`).join("");

/** The allowed values of a parameter, without its default. */
const bounds = ({ of, least, most }) => ({ of, least, most });

/** Generates one option per parameter, with its algorithms, its description and its allowed values. */
function options(all) {
  const byName = new Map();
  for (const { stem, algorithm } of all) {
    for (const [name, rule] of Object.entries(algorithm.parameters)) {
      const other = byName.get(name)?.rule;
      if (other !== undefined && JSON.stringify(bounds(other)) !== JSON.stringify(bounds(rule))) {
        throw new Error(
          `the parameter ${name} of ${stem} has a different rule than that of ${byName.get(name).owners}: rename it`,
        );
      }
      byName.set(name, { rule, owners: [...(byName.get(name)?.owners ?? []), stem] });
    }
  }
  return [...byName]
    .map(([name, { rule, owners }]) => {
      const type = "of" in rule ? rule.of.map((value) => `"${value}"`).join(" | ") : "number";
      const bounds = "of" in rule ? "" : `, ${rule.least} to ${rule.most}`;
      return `\n  /** ${owners.join(", ")}: ${rule.title}${bounds}. */\n  readonly ${name}?: ${type} | undefined;`;
    })
    .join("");
}

const names = (all) => [...new Set(all.flatMap(({ algorithm }) => Object.keys(algorithm.parameters)))];
const text = `// Generated from src/algorithms by scripts/registry.mjs. Do not edit; change the sources and build.
import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "../../plan/index.ts";
${found.map(({ stem, name }) => `import { algorithm as ${name} } from "../${stem}.ts";`).join("\n")}

/** Slugs of the unweighted algorithms, which are the same in every backend. */
export type Slug =${union(of("plain"))};

/** Slugs of the weighted algorithms that have plans and kernels. */
export type WeightedMethod =${union(of("weighted"))};

/** Slugs of all weighted algorithms. A composed one chooses one of the others for each feature. */
export type WeightedSlug = WeightedMethod${union(of("composed"))};

/** Parameters of the unweighted algorithms. */
export interface AlgorithmParameters {${options(of("plain"))}
}

/** Parameters of the weighted algorithms. */
export interface SumsParameters {${options(of("weighted", "composed"))}
}

export const PARAMETER_NAMES: readonly (keyof AlgorithmParameters)[] = ${JSON.stringify(names(of("plain")))};
export const WEIGHTED_PARAMETER_NAMES: readonly (keyof SumsParameters)[] = ${JSON.stringify(names(of("weighted", "composed")))};

/** Every unweighted algorithm by its slug. */
export const algorithms: Readonly<Record<Slug, Algorithm>> = {${record(of("plain"))}
};

/** Every weighted algorithm with plans and kernels, by its slug. */
export const weightedAlgorithms: Readonly<Record<WeightedMethod, WeightedAlgorithm>> = {${record(of("weighted"))}
};

/** Every weighted algorithm without a kernel of its own, by its slug. */
export const composedAlgorithms: Readonly<Record<Exclude<WeightedSlug, WeightedMethod>, ComposedAlgorithm>> = {${record(of("composed"))}
};
`;
const limits = stems
  .map((stem) => ({ stem, names: constantsOf(readFileSync(new URL(`${stem}.ts`, folder), "utf8")) }))
  .filter(({ names }) => names.length > 0);
const constants = `// Generated from src/algorithms by scripts/registry.mjs. Do not edit; change the sources and build.
export * from "../lib/limits.ts";
${limits.map(({ stem, names }) => `export { ${names.join(", ")} } from "../${stem}.ts";`).join("\n")}
`;

/** Simulations have lists of their own, since programs load them on first use. */
function referencesText(all, keys, algorithm, name) {
  return `// Made from the files of src/algorithms/references by scripts/registry.mjs: change them, and build.
import type { ${algorithm} } from "../../plan/index.ts";
${all.map(importOf).join("\n")}
import type { ${keys} } from "./registry.ts";

/** The simulated steps of every ${name === "references" ? "unweighted" : "weighted"} algorithm, by its slug. */
export const ${name}: Readonly<Record<${keys}, Required<${algorithm}>["reference"]>> = {${all.map(entryOf).join("")}
};
`;
}

/** The algorithm's own file may hold a small reference. */
function importOf({ stem, name, isApart }) {
  return isApart
    ? `import { reference as ${name} } from "../references/${stem}.ts";`
    : `import { algorithm as ${name} } from "../${stem}.ts";`;
}

function entryOf({ stem, name, isApart }) {
  return `\n  "${stem}": ${isApart ? name : `${name}.reference!`},`;
}

write("registry.ts", text);
write("references.ts", referencesText(of("plain"), "Slug", "Algorithm", "references"));
write(
  "weighted-references.ts",
  referencesText(of("weighted"), "WeightedMethod", "WeightedAlgorithm", "weightedReferences"),
);
write("limits.ts", constants);

/** Returns the names of the constants of an algorithm's file. */
function constantsOf(source) {
  return [...source.matchAll(/^export const ([A-Z][A-Z0-9_]*)\b/gm)].map(([, name]) => name);
}

/** Writes a file if it has changed. Unchanged files keep their time, so that dependent builds are skipped. */
function write(name, content) {
  const file = new URL(`generated/${name}`, folder);
  mkdirSync(new URL(".", file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, "utf8") !== content) writeFileSync(file, content);
}
