// Installs the packages of a checkout and builds everything. Does nothing if nothing has changed.
//
// A stamp in node_modules records the last installation and build. It compares files by size, times and inode, never by
// time alone, so it notices every edit. A false alarm only costs a build that finds everything cached.
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { target, toolkit } from "../packages/cuda/scripts/targets.mjs";
import { nodeInstalled, pnpm, root, workspacePackages } from "./workspace.mjs";

const stampFile = join(root, "node_modules/.polybin/stamp.json");
const lockFile = join(root, ".ci/.lock");
const workspaceFiles = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc"];
const buildFiles = [...workspaceFiles, "turbo.json", ".config/tsconfig.base.json"];
// Benchmark results are sources too, because the build of the dashboard reads them. Generated files are not sources.
const notSource = new Set(["node_modules", "dist", "build", "generated", "test"]);

function* filesBelow(path, skip) {
  let entries;
  try {
    entries = readdirSync(join(root, path), { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries) {
    if (skip.has(entry.name) || entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) yield* filesBelow(`${path}/${entry.name}`, skip);
    else yield `${path}/${entry.name}`;
  }
}

/** Hashes the sizes, times and inodes of files, with paths relative to the root. */
export function fingerprint(files) {
  const hash = createHash("sha1");
  for (const file of files) {
    const stat = lstatSync(join(root, file), { bigint: true, throwIfNoEntry: false });
    if (stat) hash.update(`${file}\0${stat.size}\0${stat.mtimeNs}\0${stat.ctimeNs}\0${stat.ino}\n`);
  }
  return hash.digest("hex");
}

function sources() {
  const below = ["packages", "apps", "benchmarks"].flatMap((folder) => [...filesBelow(folder, notSource)]);
  return fingerprint([...buildFiles, ...below].sort());
}

function outputs() {
  return fingerprint(
    workspacePackages().flatMap((folder) => [...filesBelow(`${folder}/dist`, new Set())].sort()),
  );
}

/** Hashes everything that decides which packages are installed. */
function installation() {
  const hash = createHash("sha1").update(`${process.platform} ${process.arch} ${root}\n`);
  for (const file of [...workspaceFiles, ...workspacePackages().map((folder) => `${folder}/package.json`)]) {
    if (existsSync(join(root, file))) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return {};
  }
}

function writeStamp(stamp) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${JSON.stringify(stamp)}\n`);
}

/** Serializes set-ups of one checkout. A lock without a running owner does not count. */
async function withLock(work) {
  for (;;) {
    try {
      const file = openSync(lockFile, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      if (!lockOwnerLives()) rmSync(lockFile, { force: true });
      else await sleep(100);
    }
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.removeListener("exit", release);
    release();
  }
}

function lockOwnerLives() {
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    if (!pid) return Date.now() - lstatSync(lockFile).mtimeMs < 2000;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Installs the packages if their manifests changed. Resolves to null or to an error message. */
export function install() {
  return withLock(async () => {
    const wanted = installation();
    if (readStamp().installed === wanted && nodeInstalled()) return null;
    const { code, output } = await pnpm(["install", "--frozen-lockfile"]);
    if (code !== 0) return output || `pnpm install exited with ${code}`;
    writeStamp({ installed: wanted });
    return null;
  });
}

/**
 * Builds every package that changed, and the CUDA addon at least for `cuda` and for the target of the last build.
 * Resolves to null or to an error message.
 */
export function build(cuda = "none") {
  return withLock(async () => {
    const before = sources();
    if (isBuilt(cuda)) return null;
    const { code, output } = await pnpm(
      "exec turbo run generate build --output-logs=errors-only --concurrency=2".split(" "),
      { env: buildEnvironment(cuda) },
    );
    if (code !== 0) return output || `the build exited with ${code}`;
    writeStamp({ ...readStamp(), sources: before, outputs: outputs(), addon: addonFor(cuda) });
    return null;
  });
}

/** The GPUs that the last build of the addon supports. */
export const builtFor = () => readStamp().addon?.target ?? "none";

/** The environment of turbo's tasks. A different environment would cause a different build. */
export function buildEnvironment(cuda = "none") {
  const addon = addonFor(cuda);
  return { POLYBIN_CUDA: addon.target, POLYBIN_CUDA_TOOLKIT: addon.toolkit };
}

/** The GPUs that the addon will support, and the compilers that build it. */
function addonFor(least) {
  return { target: target(builtFor(), least), toolkit: toolkit() };
}

/** Whether no source, built file or compiler has changed since the last set-up, and the addon supports at least `cuda`. */
export function isBuilt(cuda = "none") {
  const stamp = readStamp();
  return (
    nodeInstalled() &&
    stamp.sources === sources() &&
    stamp.outputs === outputs() &&
    JSON.stringify(stamp.addon) === JSON.stringify(addonFor(cuda))
  );
}

/** Installs and builds as needed, and reports it in one line on stderr. Resolves to null or to an error message. */
export async function setUp(cuda = "none") {
  if (isBuilt(cuda)) return null;
  const addon = addonFor(cuda).target === "none" ? "" : ", and the CUDA addon, which can take minutes";
  process.stderr.write(
    readStamp().installed
      ? `polybin: building what changed${addon} …\n`
      : `polybin: first set-up: installing and building, about a minute${addon} …\n`,
  );
  return (await install()) ?? (await build(cuda));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const problem = await setUp(argv[2]);
  if (problem) {
    process.stderr.write(`${problem.trimEnd()}\npolybin: the set-up failed (see above)\n`);
    process.exitCode = 1;
  }
}
