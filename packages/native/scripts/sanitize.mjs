// Runs the native code under sanitizers. A sanitizer ends the process at the first fault, and the running test fails.
//
//   address   address and undefined behaviour: the tests, and the contract on 1, 2 and 7 threads
//   thread    data races: the contract on 2 and 7 threads
//
// Both also run a program without Node, whose threads count bytes at the same time (test/host). The name of a sanitizer runs
// only that one, and names of test files after it only these. The sanitized addon takes the place of the built one
// meanwhile. The search for leaks is off, because Node and V8 do not free their memory when they end.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compile, copy, link, sources } from "@polybin/addon/compile";
import { findTools, root, sourcesFor, step } from "./compile.mjs";
import { platformHere } from "./targets.mjs";

const tools = findTools(platformHere());
if (tools.missing) {
  console.error(`native: the native code is not sanitized here: ${tools.missing}`);
  process.exit(1);
}
const addon = join(root, "dist", "polybin_native.node");
const kept = join(root, "build", "kept.node");
const FILES = [
  "bytes",
  "conformance",
  "conformance.nightly",
  "csv",
  "extent",
  "file",
  "held",
  "independent",
  "jsonl",
  "parquet",
  "pool",
  "rows",
  "sums",
];

const SANITIZERS = {
  address: {
    library: "libasan.so",
    // The last needs type information that Node was compiled without.
    flags: ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=vptr"],
    env: { ASAN_OPTIONS: "detect_leaks=0" },
  },
  thread: {
    library: "libtsan.so",
    flags: ["-fsanitize=thread"],
    // Node is not compiled for it, and the exchange between its own threads would look like a race.
    env: { TSAN_OPTIONS: "halt_on_error=1 ignore_noninstrumented_modules=1" },
  },
};

/** Steps that make sanitized objects. */
const stepsOf = (name, files) =>
  files.map(step(tools, join(root, "build", name), ["-O1", "-g1", ...SANITIZERS[name].flags]));

function vitest(files, env) {
  const args = ["run", "--testTimeout=300000", "--maxWorkers=1", ...files];
  const { status, signal } = spawnSync("vitest", args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (status === 0) return;
  console.error(`native: vitest ended with ${status ?? signal}`);
  process.exitCode = 1;
}

/** The contract as a program of Node alone, because vitest's own native code does not run under the thread sanitizer. */
function contract(threads, env) {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--test-reporter=./test/emulated/reporter.mjs", "test/emulated/suite.mjs"],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
      env: {
        ...process.env,
        ...env,
        POLYBIN_THREADS: String(threads),
      },
    },
  );
  console.log(`native: the contract on ${threads} threads: ${stdout.trim()}`);
  if (status !== 0) process.exitCode = 1;
}

/** Puts an addon with a sanitizer in the place of the built one while `work` runs. */
async function sanitized(name, work) {
  const { library, flags, env } = SANITIZERS[name];
  const steps = stepsOf(name, sourcesFor(tools));
  await compile(steps);
  copyFileSync(addon, kept);
  try {
    // Node has the old file in memory only if it was loaded, which this program does not do.
    rmSync(addon);
    const libraries = tools.linked.filter((flag) => flag !== "-static-libstdc++");
    await link(tools.compiler, addon, steps, [...flags, ...libraries]);
    // The sanitizer's runtime must be in the process before Node, so the addon cannot bring it.
    const runtime = execFileSync("g++", [`-print-file-name=${library}`], { encoding: "utf8" }).trim();
    work({ ...env, LD_PRELOAD: runtime });
  } finally {
    copy(kept, addon);
  }
}

/** Builds and runs the program without Node, in which every access to memory is watched. */
async function program(name) {
  const { flags, env } = SANITIZERS[name];
  const own = sourcesFor(tools).filter((source) => !/boundary|glibc/.test(source));
  const steps = stepsOf(name, [...own, ...sources(join(root, "test", "host"))]);
  await compile(steps);
  const file = join(root, "build", name, "threads");
  execFileSync(tools.compiler, ["-o", file, ...steps.map(({ object }) => object), ...flags, "-lpthread"]);
  const { status, stdout, stderr } = spawnSync(file, { encoding: "utf8", env });
  console.log(`native: under the ${name} sanitizer, without Node: ${stdout}${stderr}`);
  if (status !== 0) process.exitCode = 1;
}

const [only, ...chosen] = process.argv.slice(2);
const isWanted = (name) => only === undefined || only === name;
if (isWanted("address")) {
  await program("address");
  const files = (chosen.length === 0 ? FILES : chosen).map((file) => `test/${file}.test.ts`);
  await sanitized("address", (env) => vitest(files, env));
}
if (isWanted("thread")) {
  await program("thread");
  await sanitized("thread", (env) => {
    for (const threads of [2, 7]) contract(threads, env);
  });
}
