// Runs the tests of the native code under the address and the undefined-behaviour sanitizer, and then under the thread
// sanitizer. A sanitizer ends the process at the first fault, and the running test fails. The sanitized addon takes the
// place of the built one meanwhile.
//
// Arguments go to vitest. The search for leaks is off, because Node and V8 do not free their memory when they end.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compile, FOLDERS, findTools, link, root, sources, step } from "./compile.mjs";

const tools = findTools();
if (tools.missing) {
  console.error(`native: the native code is not sanitized here: ${tools.missing}`);
  process.exit(1);
}
const addon = join(root, "dist", "polybin_native.node");
const kept = join(root, "build", "kept.node");

/** Builds the addon with sanitizers and runs the tests with it. */
async function tests(name, library, sanitizers, env) {
  const objects = join(root, "build", name);
  const flags = ["-O1", "-g1", ...sanitizers];
  const steps = FOLDERS.flatMap((of) => sources(of)).map(step(tools, objects, flags));
  await compile(steps);
  copyFileSync(addon, kept);
  try {
    // Node has the old file in memory only if it was loaded, which this program does not do.
    rmSync(addon);
    await link(addon, steps, sanitizers);
    const runtime = execFileSync("g++", [`-print-file-name=${library}`], { encoding: "utf8" }).trim();
    const args = ["run", "--testTimeout=300000", ...process.argv.slice(2)];
    const { status } = spawnSync("vitest", args, {
      cwd: root,
      stdio: "inherit",
      // The sanitizer's runtime must be in the process before Node, so the addon cannot bring it.
      env: { ...process.env, ...env, LD_PRELOAD: runtime },
    });
    if (status !== 0) process.exitCode = 1;
  } finally {
    copyFileSync(kept, addon);
  }
}

await tests(
  "address",
  "libasan.so",
  // The last needs type information that Node was compiled without.
  ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=vptr"],
  { ASAN_OPTIONS: "detect_leaks=0" },
);
// V8 is not compiled for the thread sanitizer, so a program without it counts.
const folder = join(root, "build", "thread");
const races = ["-O1", "-g1", "-fsanitize=thread"];
const own = FOLDERS.flatMap((of) => sources(of)).filter((source) => !/boundary|glibc/.test(source));
const steps = [...own, ...sources(join(root, "test", "host"))].map(step(tools, folder, races));
await compile(steps);
const program = join(folder, "threads");
execFileSync("g++", ["-o", program, ...steps.map(({ object }) => object), ...races, "-lpthread"]);
const { status, stdout, stderr } = spawnSync(program, {
  encoding: "utf8",
  env: { TSAN_OPTIONS: "halt_on_error=1" },
});
console.log(`native: under the thread sanitizer: ${stdout}${stderr}`);
if (status !== 0) process.exitCode = 1;
