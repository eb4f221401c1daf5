// Writes src/kernels/generated/registry.ts: the descriptors of the folders in src/kernels.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../src/kernels/", import.meta.url);
const slugs = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.ts`, folder)))
  .map(({ name }) => name)
  .sort();
const nameOf = (slug) => slug.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());

const text = `// Made from the folders next to this one by scripts/registry.mjs.
import type { Kernel } from "../lib/kernel.ts";
${slugs.map((slug) => `import { kernel as ${nameOf(slug)} } from "../${slug}/index.ts";`).join("\n")}

export const kernels: readonly Kernel[] = [${slugs.map(nameOf).join(", ")}];
`;
const file = new URL("generated/registry.ts", folder);
mkdirSync(new URL(".", file), { recursive: true });
if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
