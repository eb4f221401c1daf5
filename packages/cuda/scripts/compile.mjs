// Compiles the native code: finds the tools and headers, says how each file is compiled, and compiles only what changed.
// Compilers list the files that they read (<object>.d), and a digest of their content is stored (<object>.made).
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toolkit as toolkitSeen } from "./targets.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const native = join(root, "native");
const run = promisify(execFile);

/** The folders of the addon's own sources. */
export const FOLDERS = [native, join(root, "src", "kernels")];

/** The addon's sources that the tests' own addon replaces (test/host). */
export const REPLACED = ["module.cc", "backing-store.cc"];

function find(program) {
  try {
    return execFileSync("which", [program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return null;
  }
}

/** Returns the toolkit's folder with its headers and its static runtime. */
function toolkit(nvcc) {
  const dryRun = ["--dryrun", "-x", "cu", "/dev/null", "-o", "/dev/null"];
  const { stderr } = spawnSync(nvcc, dryRun, { encoding: "utf8" });
  const top = /#\$ TOP=(.*)/.exec(stderr ?? "")?.[1];
  return top ? resolve(top.trim()) : null;
}

/** Returns the compilers and the folders of headers, or as `missing` what this machine lacks. */
export function findTools() {
  const nvcc = find("nvcc");
  const gxx = find("g++");
  if (process.platform !== "linux" || !nvcc || !gxx) return { missing: "it needs Linux, nvcc and g++" };
  const headers = resolve(dirname(process.execPath), "..", "include", "node");
  if (!existsSync(join(headers, "node_api.h"))) {
    return { missing: `the headers of this Node are not in ${headers}` };
  }
  const folder = toolkit(nvcc) ?? "/usr/local/cuda";
  const addonApi = dirname(createRequire(import.meta.url).resolve("node-addon-api/napi.h"));
  return { nvcc, gxx, folder, headers, addonApi };
}

export const sources = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));

/** Named by its path, because all kernels' files have the same name. */
const objectOf = (objects, source) => join(objects, `${relative(root, source).replaceAll("/", "_")}.o`);

/** How a file of CUDA is compiled into the folder `objects`. */
export const kernelStep =
  ({ nvcc, headers }, objects, flags) =>
  (source) => ({
    source,
    object: objectOf(objects, source),
    command: nvcc,
    args: ["-std=c++17", "-O3", "-Xcompiler", "-fPIC", "-I", native, "-I", headers, ...flags],
  });

/** The same for a file of C++. */
export const hostStep =
  ({ gxx, ...tools }, objects, flags = ["-O2"]) =>
  (source) => ({
    source,
    object: objectOf(objects, source),
    command: gxx,
    args: [...hostFlags(tools), ...flags],
  });

/** The flags of every C++ file. */
export const hostFlags = ({ folder, headers, addonApi }) => [
  "-std=c++20",
  "-Wall",
  "-fPIC",
  "-DNAPI_VERSION=9",
  "-DNAPI_CPP_EXCEPTIONS",
  // An environment that closes takes no exception, which would otherwise end the process.
  "-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
  ...[headers, addonApi, join(folder, "include"), native].flatMap((path) => ["-I", path]),
];

/** Digests of files' contents. A missing file has "". */
const digests = new Map();
function digestOf(file) {
  if (!digests.has(file)) {
    digests.set(file, existsSync(file) ? createHash("sha1").update(readFileSync(file)).digest("hex") : "");
  }
  return digests.get(file);
}

const compilers = toolkitSeen();

/**
 * Returns everything that an object depends on: the command, the compilers, and the content of the files that were
 * read.
 */
function ingredients({ command, args, object }) {
  const [, files = ""] = readFileSync(`${object}.d`, "utf8").replaceAll("\\\n", " ").split(/:\s/);
  const read = (files.match(/(?:\\ |\S)+/g) ?? []).map((file) => file.replaceAll("\\ ", " "));
  return [command, ...args, compilers, ...read.map(digestOf)].join("\n");
}

/** Compares files by their content, because a cache that restores them changes their times. */
function isStale(step) {
  const [object, words, made] = ["", ".d", ".made"].map((ending) => `${step.object}${ending}`);
  if (![object, words, made].every((file) => existsSync(file))) return true;
  return readFileSync(made, "utf8") !== ingredients(step);
}

/** Makes the objects that are stale, one per core at a time. */
export async function compile(steps) {
  const waiting = steps.filter(isStale);
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { args, source, object } = step;
      mkdirSync(dirname(object), { recursive: true });
      // If the compiler fails half-way, no object remains.
      rmSync(object, { force: true });
      await run(step.command, [...args, "-MMD", "-MF", `${object}.d`, "-c", source, "-o", object], {
        maxBuffer: 1 << 26,
      });
      writeFileSync(`${object}.made`, ingredients(step));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

/** Always links, because another target's objects may be older than the last link of this target. */
export async function link({ gxx }, file, steps, flags) {
  mkdirSync(dirname(file), { recursive: true });
  const objects = steps.map(({ object }) => object);
  await run(gxx, ["-shared", "-o", file, ...objects, ...flags, "-lpthread", "-lrt", "-ldl"]);
}
