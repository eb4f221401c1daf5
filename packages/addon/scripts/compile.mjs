// Compiles the native code of a backend: says how each file of C++ is compiled, and compiles only what changed. Compilers
// list the files that they read (<object>.d), and a digest of their content is stored (<object>.made).
//
// A step is { command, args, version, source, object }: how a compiler, of this version, makes an object of a source.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The sources that every addon is compiled with. */
export const shared = fileURLToPath(new URL("../native", import.meta.url));

/** Returns the version that a compiler prints, or null without the compiler. */
export function versionOf(compiler) {
  try {
    return execFileSync(compiler, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return null;
  }
}

/** The folders of the headers of Node and of node-addon-api, or as `missing` what this machine lacks. */
export function findHeaders() {
  const headers = resolve(dirname(process.execPath), "..", "include", "node");
  if (!existsSync(join(headers, "node_api.h"))) {
    return { missing: `the headers of this Node are not in ${headers}` };
  }
  return { headers, addonApi: dirname(createRequire(import.meta.url).resolve("node-addon-api/napi.h")) };
}

export const sources = (folder, ending = ".cc") =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));

/** Named by its path from a package's folder, because all kernels' files have the same name. */
export const objectOf = (root, objects, source) =>
  join(objects, `${relative(root, source).replaceAll(/[/\\.]+/g, "_")}.o`);

/** The flags of every file of C++. @param include further folders of headers */
export const hostFlags = ({ headers, addonApi }, include) => [
  "-std=c++20",
  "-Wall",
  "-fPIC",
  "-fvisibility=hidden",
  "-DNAPI_VERSION=9",
  "-DNAPI_CPP_EXCEPTIONS",
  // An environment that closes takes no exception, which would otherwise end the process.
  "-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
  ...[headers, addonApi, ...include, shared].flatMap((path) => ["-I", path]),
];

/** Digests of files' contents. A missing file has "". */
const digests = new Map();
function digestOf(file) {
  if (!digests.has(file)) {
    digests.set(file, existsSync(file) ? createHash("sha1").update(readFileSync(file)).digest("hex") : "");
  }
  return digests.get(file);
}

/** Returns everything that an object depends on: the compiler, its arguments, and the content of the files that it read. */
function ingredients({ command, version, args, object }) {
  const [, files = ""] = readFileSync(`${object}.d`, "utf8").replaceAll("\\\n", " ").split(/:\s/);
  const read = (files.match(/(?:\\ |\S)+/g) ?? []).map((file) => file.replaceAll("\\ ", " "));
  return [command, version, ...args, ...read.map(digestOf)].join("\n");
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
      const { command, args, source, object } = step;
      mkdirSync(dirname(object), { recursive: true });
      // If the compiler fails half-way, no object remains.
      rmSync(object, { force: true });
      await run(command, [...args, "-MMD", "-MF", `${object}.d`, "-c", source, "-o", object], {
        maxBuffer: 1 << 26,
      });
      writeFileSync(`${object}.made`, ingredients(step));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

/** Always links, because another target's objects may be older than the last link of this target. */
export async function link(compiler, file, steps, flags) {
  mkdirSync(dirname(file), { recursive: true });
  await run(compiler, ["-shared", "-o", file, ...steps.map(({ object }) => object), ...flags]);
}

/** Copies an addon. A process that has the old one loaded would end if its file were written into. */
export function copy(from, to) {
  rmSync(to, { force: true });
  copyFileSync(from, to);
}
