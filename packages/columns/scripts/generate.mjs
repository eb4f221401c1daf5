// Writes the files that are generated from the folders of src/formats, before anything is compiled:
//
//   formats/generated/registry.ts   the formats: one folder each, `format` and the type `Options` in its index.ts
//   formats/generated/decoders.ts   the decoders that threads load: `decode` in each folder's decode.ts, if it has one
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../src/formats/", import.meta.url);
mkdirSync(new URL("generated/", folder), { recursive: true });

/** Writes a file if its content changes. An unchanged file keeps its time, so that nothing is rebuilt because of it. */
function write(name, lines) {
  const file = new URL(`generated/${name}`, folder);
  const text = `// Made by scripts/generate.mjs from the folders of src/formats. Do not edit.\n${lines.join("\n")}\n`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.ts`, folder)))
  .map((entry) => entry.name)
  .sort();

write("registry.ts", [
  'import type { Format } from "../../table/index.ts";',
  ...names.map(
    (name) => `import { format as ${name}, type Options as ${name}_options } from "../${name}/index.ts";`,
  ),
  "",
  "/** The options of all formats. */",
  `export interface FormatOptions extends ${names.map((name) => `${name}_options`).join(", ")} {}`,
  "",
  "/** The format of each folder. */",
  `export const formats: readonly Format<FormatOptions>[] = [${names.join(", ")}];`,
]);

const decoders = names.filter((name) => existsSync(new URL(`${name}/decode.ts`, folder)));
write("decoders.ts", [
  'import type { Decode } from "../../pool/index.ts";',
  "",
  "/** Loads the decoder of a format. */",
  "export const decoders: Readonly<Record<string, (() => Promise<{ readonly decode: Decode<never, unknown> }>) | undefined>> = {",
  ...decoders.map((name) => `  ${name}: () => import("../${name}/decode.ts"),`),
  "};",
]);
