// Compiles the readers of text for WebAssembly: src/webassembly/generated/text.ts holds the module in base64. Without
// clang's tools for WebAssembly, it says so in one line and writes null: pages, and Node without an addon, then read text in
// JavaScript. With --needed, that is an error.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { compile, objectOf, sources, versionOf } from "@polybin/addon/compile";
import { write } from "@polybin/addon/text";
import { MOST_BYTES } from "../src/webassembly/limits.ts";
import { root } from "./compile.mjs";

const COMPILER = "clang++";
const NEEDS = "Debian's clang, lld, libc++-dev-wasm32 and libclang-rt-dev-wasm32";
const ROOMS = ["csv", "jsonl", "text", "webassembly"];
/** Sources for files and for other instruction sets. */
const ELSEWHERE = ["part.cc", "fields-avx2.cc"];

const native = join(root, "native");
const folder = join(root, "build", "webassembly");
const TARGET = ["--target=wasm32-wasi", "-flto", "-O3"];
const FLAGS = [
  ...["-std=c++20", "-Wall", "-msimd128", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden"],
  ...["-I", native],
];
const LINKED = [
  ...["-mexec-model=reactor", "-Wl,--strip-all", "-Wl,--stack-first", `-Wl,--max-memory=${MOST_BYTES}`],
  ...["malloc", "free"].map((name) => `-Wl,--export=${name}`),
];

/** Whether the compiler has all that it needs to link a module of C++. */
function hasTools() {
  const input = "#include <vector>\nint main() { return static_cast<int>(std::vector<int>(3).size()); }";
  mkdirSync(folder, { recursive: true });
  const args = [...TARGET, "-fno-exceptions", "-x", "c++", "-", "-o", join(folder, "probe.wasm")];
  return spawnSync(COMPILER, args, { input }).status === 0;
}

async function module() {
  const version = versionOf(COMPILER);
  if (version === null || !hasTools()) return null;
  const steps = ROOMS.flatMap((room) => sources(join(native, room)))
    .filter((source) => !ELSEWHERE.includes(basename(source)))
    .map((source) => ({
      ...{ source, version, command: COMPILER, args: [...TARGET, ...FLAGS] },
      object: objectOf(root, join(folder, "objects"), source),
    }));
  await compile(steps);
  const file = join(folder, "text.wasm");
  execFileSync(COMPILER, [...TARGET, ...LINKED, ...steps.map(({ object }) => object), "-o", file]);
  return readFileSync(file).toString("base64");
}

const made = await module();
if (made === null) {
  console.log(`native: the readers of text are not compiled for WebAssembly here: they need ${NEEDS}`);
  if (process.argv.includes("--needed")) process.exitCode = 1;
}
write(
  new URL("../src/webassembly/generated/text.ts", import.meta.url),
  `// Made by scripts/webassembly.mjs from native/webassembly.

/** The WebAssembly module in base64, or null without a compiler for it. */
export const text: string | null =
  ${JSON.stringify(made)};
`,
);
