// Writes the files that the build generates from the folders in src/kernels. Git ignores them:
//
//   src/kernels/generated/shaders.ts    the text of every .wgsl file by its name, without comments, so that a page needs no bundler for it
//   src/kernels/generated/registry.ts   the descriptors of all algorithms: of each folder whose index.ts exports `kernel`
//
// The script does not touch a file whose content stays the same, so that nothing is rebuilt because of it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../src/kernels/", import.meta.url);
const NOTE = "// Made by scripts/kernels.mjs of the folders beside this one.\n\n";

const names = readdirSync(folder, { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .sort();
const textOf = (name) => readFileSync(new URL(name, folder), "utf8");

/** Returns a text without comments and indentation, which halves its size. @throws for a block comment */
function shortened(name) {
  const text = textOf(name);
  if (text.includes("/*")) throw new Error(`expected comments of one line but ${name} has a block comment`);
  const lines = text.split("\n").map((line) => line.replace(/\/\/.*/, "").trim());
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

function write(name, text) {
  const file = new URL(`generated/${name}`, folder);
  mkdirSync(new URL("generated", folder), { recursive: true });
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

const texts = names.filter((name) => name.endsWith(".wgsl"));
const stem = (name) => JSON.stringify(name.slice(0, -".wgsl".length));
write(
  "shaders.ts",
  `${NOTE}export type ShaderName =\n${texts.map((name) => `  | ${stem(name)}`).join("\n")};\n\n` +
    "/** The text of every WGSL file by its name, without comments. */\nexport const SHADERS: Readonly<Record<ShaderName, string>> = {\n" +
    `${texts.map((name) => `  ${stem(name)}: ${JSON.stringify(shortened(name))},\n`).join("")}};\n`,
);

const slugs = names
  .filter((name) => /^[^/]+\/index\.ts$/.test(name) && /^export const kernel\b/m.test(textOf(name)))
  .map((name) => name.slice(0, name.indexOf("/")));
const variable = (slug) => slug.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
write(
  "registry.ts",
  `${NOTE}${slugs.map((slug) => `import { kernel as ${variable(slug)} } from "../${slug}/index.ts";\n`).join("")}` +
    `import type { WebgpuKernel } from "../lib/kernel.ts";\n\n/** Every algorithm's descriptor. */\n` +
    `export const KERNELS: readonly WebgpuKernel[] = [\n${slugs.map((slug) => `  ${variable(slug)},\n`).join("")}];\n`,
);
