// How the native code is compiled: finds the tools, and says how each file is compiled.
import { execFileSync, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { hostFlags as addonFlags, findHeaders, objectOf, shared } from "@polybin/addon/compile";
import { toolkit as toolkitSeen } from "./targets.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const native = join(root, "native");

/** The folders of the addon's sources. */
export const FOLDERS = [shared, native, join(root, "src", "kernels")];

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
  return { nvcc, gxx, folder: toolkit(nvcc) ?? "/usr/local/cuda", ...findHeaders() };
}

const version = toolkitSeen();

/** How a file of CUDA is compiled into the folder `objects`. */
export const kernelStep =
  ({ nvcc, headers }, objects, flags) =>
  (source) => ({
    source,
    version,
    object: objectOf(root, objects, source),
    command: nvcc,
    args: [
      ...["-std=c++17", "-O3", "-Xcompiler", "-fPIC"],
      ...[native, shared, headers].flatMap((path) => ["-I", path]),
      ...flags,
    ],
  });

/** The same for a file of C++. */
export const hostStep =
  ({ gxx, ...tools }, objects, flags = ["-O2"]) =>
  (source) => ({
    source,
    version,
    object: objectOf(root, objects, source),
    command: gxx,
    args: [...hostFlags(tools), ...flags],
  });

/** The flags of every C++ file. */
export const hostFlags = ({ folder, ...headers }) => addonFlags(headers, [join(folder, "include"), native]);

/** The libraries that every addon is linked with. */
export const LIBRARIES = ["-lpthread", "-lrt", "-ldl"];
