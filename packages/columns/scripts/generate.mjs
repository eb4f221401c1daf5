// Writes the files that are generated from the folders of src/formats, before anything is compiled:
//
//   formats/generated/registry.ts   the formats: one folder each, `format` and the type `Options` in its index.ts
//   formats/generated/decoders.ts   the decoders that threads load: `decode` in each folder's decode.ts, if it has one
//
// and, next to the kernel of exact sums (profile/exact/kernel/sums.as.ts):
//
//   generated/limits.as.ts          the profile's constants in AssemblyScript
//   generated/wasm.ts               the WebAssembly module in base64
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DIGIT_BITS, STEP } from "../src/profile/limits.ts";

const folder = new URL("../src/formats/", import.meta.url);
mkdirSync(new URL("generated/", folder), { recursive: true });

/** Writes a file if its content changes. An unchanged file keeps its time, so that nothing is rebuilt because of it. */
function write(name, lines, of = folder) {
  const file = new URL(`generated/${name}`, of);
  const text = `// Made by scripts/generate.mjs: change what it is made from, and build.\n${lines.join("\n")}\n`;
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

const kernel = new URL("../src/profile/exact/kernel/", import.meta.url);
mkdirSync(new URL("generated/", kernel), { recursive: true });
write(
  "limits.as.ts",
  Object.entries({ DIGIT_BITS, STEP }).map(([name, value]) => `export const ${name}: u32 = ${value};`),
  kernel,
);

const sources = ["sums.as.ts", "generated/limits.as.ts"].map((name) => new URL(name, kernel));
const module = new URL("generated/wasm.ts", kernel);
const timeOf = (file) => statSync(file).mtimeMs;
// The compiler takes seconds.
if (!existsSync(module) || sources.some((source) => timeOf(source) > timeOf(module))) {
  const { main } = await import("assemblyscript/asc");
  const options = ["-O3", "--enable", "simd", "--runtime", "stub", "--noAssert", "--initialMemory", "2"];
  let bytes;
  const { error, stderr } = await main([fileURLToPath(sources[0]), "--outFile", "out.wasm", ...options], {
    writeFile: (name, contents) => {
      if (name.endsWith(".wasm")) bytes = contents;
    },
  });
  if (error !== null) throw new Error(`${error.message}\n${stderr}`);
  const text = Buffer.from(bytes).toString("base64");
  write(
    "wasm.ts",
    ["/** The WebAssembly module in base64. */", `export const wasm: string =\n  "${text}";`],
    kernel,
  );
}
