// Writes src/shaders.ts, the text of every .wgsl file under src/kernels by its name, so that a browser gets them
// without a bundler. With --check: fails when the file in the repository is another.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../src/kernels/", import.meta.url);
const file = new URL("../src/shaders.ts", import.meta.url);

const names = readdirSync(folder, { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".wgsl"))
  .sort();
const entries = names.map((name) => {
  const text = readFileSync(new URL(name, folder), "utf8").replace(/[\\`]|\$\{/g, "\\$&");
  const stem = name.slice(0, -".wgsl".length);
  return `  ${/^\w+$/.test(stem) ? stem : `"${stem}"`}: \`${text}\`,\n`;
});
const text = `// Made from the .wgsl files in src/kernels by scripts/shaders.mjs: change them there.

/** The text of every WGSL file by its name. */
export const SHADERS = {
${entries.join("")}} as const;

/** The name of a WGSL file. */
export type ShaderName = keyof typeof SHADERS;
`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("src/shaders.ts is stale: run `pnpm run shaders` in packages/webgpu");
  process.exit(1);
}
