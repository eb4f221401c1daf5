// Compiles the native code: finds the compiler and the headers, says how each file is compiled, and compiles only what
// changed. Compilers list the files that they read (<object>.d), and a digest of their content is stored
// (<object>.made).
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("..", import.meta.url));
const native = join(root, "native");
const run = promisify(execFile);

/** The folders of the addon's own sources. */
export const FOLDERS = [native, join(root, "src", "kernels")];

/** Returns the compiler and the folders of headers, or as `missing` what this machine lacks. */
export function findTools() {
  let version;
  try {
    version = execFileSync("g++", ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return { missing: "it needs g++" };
  }
  if (process.platform === "win32") return { missing: "it needs Linux or macOS" };
  const headers = resolve(dirname(process.execPath), "..", "include", "node");
  if (!existsSync(join(headers, "node_api.h"))) {
    return { missing: `the headers of this Node are not in ${headers}` };
  }
  const addonApi = dirname(createRequire(import.meta.url).resolve("node-addon-api/napi.h"));
  return { version, headers, addonApi };
}

export const sources = (folder, ending = ".cc") =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file))
    .filter((file) => process.arch === "x64" || !/-avx/.test(basename(file)));

/** Flags of the files that are compiled for one set of instructions. */
const INSTRUCTIONS = {
  avx2: ["-mavx2", "-mfma"],
  avx512: ["-mavx2", "-mfma", "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq"],
};
/** Contracted operations would round differently. */
const ROWS = [
  "-O3",
  "-ffp-contract=off",
  "-fno-trapping-math",
  "-fno-math-errno",
  "-ffinite-math-only",
  "-fno-signed-zeros",
];

/** Contracted operations are exact there, or refused. */
const ADDENDS = ["-O3", "-ffp-contract=fast", "-fno-trapping-math", "-fno-math-errno"];

/** How a source is compiled into the folder `objects`. */
export const step =
  ({ version, headers, addonApi }, objects, flags = ["-O3"]) =>
  (source) => ({
    source,
    version,
    object: join(objects, `${relative(root, source).replaceAll("/", "_")}.o`),
    args: [
      "-std=c++20",
      "-Wall",
      "-fPIC",
      "-fvisibility=hidden",
      "-DNAPI_VERSION=9",
      "-DNAPI_CPP_EXCEPTIONS",
      // An environment that closes takes no exception, which would otherwise end the process.
      "-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
      ...[headers, addonApi, native].flatMap((path) => ["-I", path]),
      ...flags,
      ...(/rows-/.test(basename(source)) ? ROWS : []),
      ...(/addends-/.test(basename(source)) ? ADDENDS : []),
      ...(INSTRUCTIONS[/-(avx\d+)\.cc$/.exec(source)?.[1]] ?? []),
    ],
  });

/** Digests of files' contents. A missing file has "". */
const digests = new Map();
function digestOf(file) {
  if (!digests.has(file)) {
    digests.set(file, existsSync(file) ? createHash("sha1").update(readFileSync(file)).digest("hex") : "");
  }
  return digests.get(file);
}

/** Returns everything that an object depends on: the compiler, its arguments, and the content of the files that it read. */
function ingredients({ version, args, object }) {
  const [, files = ""] = readFileSync(`${object}.d`, "utf8").replaceAll("\\\n", " ").split(/:\s/);
  const read = (files.match(/(?:\\ |\S)+/g) ?? []).map((file) => file.replaceAll("\\ ", " "));
  return [version, ...args, ...read.map(digestOf)].join("\n");
}

/** Compares files by their content, because a cache that restores them changes their times. */
function isStale(of) {
  const [object, words, made] = ["", ".d", ".made"].map((ending) => `${of.object}${ending}`);
  if (![object, words, made].every((file) => existsSync(file))) return true;
  return readFileSync(made, "utf8") !== ingredients(of);
}

/** Makes the objects that are stale, one per core at a time. */
export async function compile(steps) {
  const waiting = steps.filter(isStale);
  const lane = async () => {
    for (let of = waiting.shift(); of; of = waiting.shift()) {
      const { args, source, object } = of;
      mkdirSync(dirname(object), { recursive: true });
      // If the compiler fails half-way, no object remains.
      rmSync(object, { force: true });
      await run("g++", [...args, "-MMD", "-MF", `${object}.d`, "-c", source, "-o", object], {
        maxBuffer: 1 << 26,
      });
      writeFileSync(`${object}.made`, ingredients(of));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

/** Links an addon. Its threads outlive a worker that loaded it, so it stays in memory. */
export async function link(file, steps, flags) {
  mkdirSync(dirname(file), { recursive: true });
  const stays = process.platform === "darwin" ? ["-undefined", "dynamic_lookup"] : ["-Wl,-z,nodelete"];
  const objects = steps.map(({ object }) => object);
  await run("g++", ["-shared", "-o", file, ...objects, ...stays, ...flags, "-lpthread", "-ldl"]);
}
