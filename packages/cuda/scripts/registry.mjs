// Writes src/kernels/generated/registry.ts: the descriptors of the folders in src/kernels.
import { readdirSync } from "node:fs";
import { inCamelCase, write } from "./text.mjs";

const folder = new URL("../src/kernels/", import.meta.url);
const slugs = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(new URL(entry.name, folder)).includes("index.ts"))
  .map(({ name }) => name)
  .sort();

write(
  new URL("generated/registry.ts", folder),
  `// Made from the folders next to this one by scripts/registry.mjs.
${slugs.map((slug) => `import { kernel as ${inCamelCase(slug)} } from "../${slug}/index.ts";`).join("\n")}

export const kernels = [${slugs.map(inCamelCase).join(", ")}] as const;
`,
);
