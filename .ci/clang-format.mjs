// `node .ci/clang-format.mjs`: checks that the native code has the style of .clang-format. `--write` formats it instead.
// The formatter is a WebAssembly module from the registry, so every machine runs the same version.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { format } from "@wasm-fmt/clang-format";
import { root, run } from "./workspace.mjs";

const PATTERNS = ["*.cc", "*.cu", "*.cuh", "*.h", "*.c"];

const style = readFileSync(join(root, ".clang-format"), "utf8");

/** `text` in the style of .clang-format. The formatter takes the language from the file's name, and CUDA is C++ here. */
const formatted = (text, path) => format(text, path.replace(/\.cuh?$/, ".cc"), style);

/** The native files that git tracks, relative to the root. */
async function nativeFiles() {
  const { code, output } = await run("git", ["ls-files", "--", ...PATTERNS]);
  if (code !== 0) throw new Error(output);
  const files = output.split("\n").filter(Boolean);
  if (files.length === 0) throw new Error("expected native files in git but found none");
  return files;
}

/** The native files whose text differs from the style, each with the text that it should have. */
async function unformatted() {
  const texts = (await nativeFiles()).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  return texts
    .map(({ path, text }) => ({ path, text, wanted: formatted(text, path) }))
    .filter(({ text, wanted }) => text !== wanted);
}

/** The first line on which two texts differ. */
function firstDifference(text, wanted) {
  const lines = text.split("\n");
  const wantedLines = wanted.split("\n");
  const at = lines.findIndex((line, i) => line !== wantedLines[i]);
  return { line: at + 1, found: lines[at], expected: wantedLines[at] };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const files = await unformatted();
  for (const { path, text, wanted } of files) {
    if (argv.includes("--write")) {
      writeFileSync(join(root, path), wanted);
      continue;
    }
    const { line, found, expected } = firstDifference(text, wanted);
    console.log(`${path}:${line}: expected\n  ${expected}\nbut found\n  ${found}`);
    process.exitCode = 1;
  }
  if (process.exitCode === 1) console.log("`npm run format` formats these files.");
}
