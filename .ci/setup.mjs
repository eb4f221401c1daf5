// Brings a checkout to where it can run: packages installed, everything built. Does nothing when nothing has changed.
//
// A stamp in node_modules remembers what was installed and built. Files are compared by size, times and inode, never by
// time alone, so an edit cannot pass unseen; a false alarm only costs a build that finds everything cached.
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
// Benchmark results are sources, too: the dashboard is built from them. What scripts make of sources is none.
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

function fingerprint(files) {
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

/** Hash of everything that decides what is installed. */
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

/** Two set-ups in one checkout take turns. A lock whose owner is gone does not count. */
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

/** Installs if anything that decides it changed. Resolves to null, or to what went wrong. */
export function install() {
  return withLock(async () => {
    const wanted = installation();
    if (readStamp().installed === wanted && nodeInstalled()) return null;
    const { code, output } = await pnpm(["install", "--frozen-lockfile"]);
    if (code !== 0) return output || `pnpm install ended with ${code}`;
    writeStamp({ installed: wanted });
    return null;
  });
}

/**
 * Builds every package that changed; the CUDA addon for `cuda` at least, and for no less than the last time.
 * Resolves to null, or to what went wrong.
 */
export function build(cuda = "none") {
  return withLock(async () => {
    const before = sources();
    if (isBuilt(cuda)) return null;
    const { code, output } = await pnpm(
      "exec turbo run generate build --output-logs=errors-only --concurrency=2".split(" "),
      { env: buildEnvironment(cuda) },
    );
    if (code !== 0) return output || `the build ended with ${code}`;
    writeStamp({ ...readStamp(), sources: before, outputs: outputs(), addon: addonFor(cuda) });
    return null;
  });
}

/** For which GPUs the addon was built the last time. */
export const builtFor = () => readStamp().addon?.target ?? "none";

/** What turbo's tasks are told of it: another environment would be another build. */
export function buildEnvironment(cuda = "none") {
  const addon = addonFor(cuda);
  return { POLYBIN_CUDA: addon.target, POLYBIN_CUDA_TOOLKIT: addon.toolkit };
}

/** For which GPUs the addon is built, and by which compilers. */
function addonFor(least) {
  return { target: target(builtFor(), least), toolkit: toolkit() };
}

/** True when no source, built file or compiler has changed since the last set-up, and the addon is built for `cuda` at least. */
export function isBuilt(cuda = "none") {
  const stamp = readStamp();
  return (
    nodeInstalled() &&
    stamp.sources === sources() &&
    stamp.outputs === outputs() &&
    JSON.stringify(stamp.addon) === JSON.stringify(addonFor(cuda))
  );
}

/** Installs and builds as needed, and says so in a line on stderr. Resolves to null, or to what went wrong. */
export async function setUp(cuda = "none") {
  if (isBuilt(cuda)) return null;
  const addon = addonFor(cuda).target === "none" ? "" : ", the CUDA addon too, which can take minutes";
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
