// Builds the addon, dist/polybin_cuda.node, for the GPUs that targets.mjs selects. This needs nvcc and g++. Without
// them it says so in one line and succeeds: the package then looks for the package of its platform, or reports that
// there is none. It compiles only what changed: compilers list the files that they read (<object>.d), and a digest of
// their content is stored (<object>.made). A copy goes to the package of this platform, npm/<platform>-<arch>. The
// tests' own addons are built next to it: dist/polybin_fault.node, and dist/polybin_host.node, which has the same
// boundary over a fake CUDA runtime (test/host).
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
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { flagsOf, target, toolkit as toolkitSeen } from "./targets.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const native = join(root, "native");
const addon = join(root, "dist", "polybin_cuda.node");
const fault = join(root, "dist", "polybin_fault.node");
const hosted = join(root, "dist", "polybin_host.node");
const platform = join(root, "npm", `${process.platform}-${process.arch}`);
const run = promisify(execFile);

function find(program) {
  try {
    return execFileSync("which", [program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return null;
  }
}

/** Returns the toolkit's folder with its headers and its static runtime. */
function toolkit(nvcc) {
  const { stderr } = (() => {
    try {
      return {
        stderr: execFileSync(nvcc, ["--dryrun", "-x", "cu", "/dev/null", "-o", "/dev/null"], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"],
        }),
      };
    } catch (error) {
      return error;
    }
  })();
  const top = /#\$ TOP=(.*)/.exec(stderr ?? "")?.[1];
  return top ? resolve(top.trim()) : null;
}

const wanted = target();
if (wanted === "none") {
  for (const file of [addon, fault, hosted, join(platform, basename(addon))]) rmSync(file, { force: true });
  console.log("cuda: the addon is not built: this machine has no NVIDIA GPU; npm run build:cuda builds it");
  process.exit(0);
}
const objects = join(root, "build", wanted);
const nvcc = find("nvcc");
const gxx = find("g++");
if (process.platform !== "linux" || !nvcc || !gxx) {
  console.log("cuda: the addon is not built here: it needs Linux, nvcc and g++");
  process.exit(0);
}

const folder = toolkit(nvcc) ?? "/usr/local/cuda";
const headers = resolve(dirname(process.execPath), "..", "include", "node");
if (!existsSync(join(headers, "node_api.h"))) {
  console.log(`cuda: the addon is not built here: the headers of this Node are not in ${headers}`);
  process.exit(0);
}
const addonApi = dirname(createRequire(import.meta.url).resolve("node-addon-api/napi.h"));

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

mkdirSync(objects, { recursive: true });
mkdirSync(dirname(addon), { recursive: true });
const sources = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));
/** Named by its path, because all kernels' files have the same name. */
const objectOf = (source) => join(objects, `${relative(root, source).replaceAll("/", "_")}.o`);
const kernel = (source) => ({
  source,
  object: objectOf(source),
  command: nvcc,
  args: ["-std=c++17", "-O3", "-Xcompiler", "-fPIC", "-I", native, "-I", headers, ...flagsOf[wanted]],
});
const host = (source) => ({
  source,
  object: objectOf(source),
  command: gxx,
  args: [
    "-std=c++20",
    "-O2",
    "-Wall",
    "-fPIC",
    "-DNAPI_VERSION=9",
    "-DNAPI_CPP_EXCEPTIONS",
    // An environment that closes takes no exception, which would otherwise end the process.
    "-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
    "-I",
    headers,
    "-I",
    addonApi,
    "-I",
    join(folder, "include"),
    "-I",
    native,
  ],
});
const folders = [native, join(root, "src", "kernels")];
const hostSteps = folders.flatMap((of) => sources(of, ".cc")).map(host);
const addonSteps = [...folders.flatMap((of) => sources(of, ".cu")).map(kernel), ...hostSteps];
const faultSteps = sources(join(root, "test", "device"), ".cu").map(kernel);
const hostedSteps = sources(join(root, "test", "host"), ".cc").map(host);

const waiting = [...addonSteps, ...faultSteps, ...hostedSteps].filter(isStale);
const lane = async () => {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const { args, source, object } = step;
    // If the compiler fails half-way, no object remains.
    rmSync(object, { force: true });
    await run(step.command, [...args, "-MMD", "-MF", `${object}.d`, "-c", source, "-o", object], {
      maxBuffer: 1 << 26,
    });
    writeFileSync(`${object}.made`, ingredients(step));
  }
};
await Promise.all([lane(), lane()]);

const libraries = ["lib64", "lib", "targets/x86_64-linux/lib"].flatMap((part) => ["-L", join(folder, part)]);
/** Always links, because another target's objects may be older than the last link of this target. */
async function link(file, steps, runtime) {
  const inputs = steps.map(({ object }) => object);
  await run(gxx, [
    ...["-shared", "-o", file, ...inputs, ...runtime],
    ...["-static-libstdc++", "-lpthread", "-lrt", "-ldl"],
  ]);
}
const cudart = [...libraries, "-lcudart_static"];
await link(addon, addonSteps, cudart);
await link(fault, faultSteps, cudart);
// The tests' own files replace these, the kernels and the runtime.
const replaced = ["module.cc", "backing-store.cc"];
const shared = hostSteps.filter(({ source }) => !replaced.includes(basename(source)));
await link(hosted, [...shared, ...hostedSteps], []);
if (existsSync(platform)) copyFileSync(addon, join(platform, basename(addon)));
