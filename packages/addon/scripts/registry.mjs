// Writes what a backend's TypeScript takes from folders and from its manifest: src/kernels/generated/registry.ts, with the
// descriptors of the folders in src/kernels, and src/platform/generated/platforms.ts, with the platforms that have a package.
import { existsSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { platformsOf } from "./platforms.mjs";
import { inCamelCase, write } from "./text.mjs";

const root = pathToFileURL(`${process.cwd()}/`);
const kernels = new URL("src/kernels/", root);
const slugs = readdirSync(kernels, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.ts`, kernels)))
  .map(({ name }) => name)
  .sort();

write(
  new URL("generated/registry.ts", kernels),
  `// Made from the folders next to this one.
${slugs.map((slug) => `import { kernel as ${inCamelCase(slug)} } from "../${slug}/index.ts";`).join("\n")}

export const kernels = [${slugs.map(inCamelCase).join(", ")}] as const;
`,
);
write(
  new URL("src/platform/generated/platforms.ts", root),
  `// Made from the optional dependencies of this package.
/** The platforms that have a package. */
export const PLATFORMS: readonly string[] = ${JSON.stringify(platformsOf(root))};
`,
);
