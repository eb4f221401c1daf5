// Runs native code under the address and the undefined-behaviour sanitizer, without a GPU. It tests the addon's host code
// over the runtime of test/host, and the weighted kernels, compiled for the host (test/emulated). A sanitizer ends the
// process at the first fault, and the running test fails. (emulated-segments.nightly.test.ts does the same.)
//
// Arguments go to vitest. The search for leaks is off, because Node and V8 do not free their memory when they end.
import { execFileSync, spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { compile, link, sources } from "@polybin/addon/compile";
import { FOLDERS, findTools, hostStep, LIBRARIES, REPLACED, root } from "./compile.mjs";

const SANITIZERS = [
  "-fsanitize=address,undefined",
  "-fno-sanitize-recover=all",
  // It needs type information that Node was compiled without.
  "-fno-sanitize=vptr",
];

const tools = findTools();
if (tools.missing) {
  console.error(`cuda: the native code is not sanitized here: ${tools.missing}`);
  process.exit(1);
}
const folder = join(root, "build", "sanitized");
const step = hostStep(tools, folder, ["-O1", "-g1", ...SANITIZERS]);
const steps = [...FOLDERS, join(root, "test", "host")]
  .flatMap((of) => sources(of))
  .filter((source) => !FOLDERS.some((of) => source.startsWith(of) && REPLACED.includes(basename(source))))
  .map(step);
await compile(steps);
await link(tools.gxx, join(folder, "polybin_host.node"), steps, [...SANITIZERS, ...LIBRARIES]);

const runtime = execFileSync(tools.gxx, ["-print-file-name=libasan.so"], { encoding: "utf8" }).trim();
const sanitized = {
  ASAN_OPTIONS: "detect_leaks=0",
  POLYBIN_SANITIZED: folder,
  POLYBIN_SANITIZERS: SANITIZERS.join(" "),
};

/** Runs test files, with `env` added to the environment. */
function tests(files, env = {}) {
  const args = [
    "run",
    "--testTimeout=120000",
    ...files.map((name) => `test/${name}.test.ts`),
    ...process.argv.slice(2),
  ];
  const { status } = spawnSync("vitest", args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...sanitized, ...env },
  });
  if (status !== 0) process.exitCode = 1;
}

// The sanitizer's runtime must be in the process before Node, so the addon cannot bring it.
tests(["boundary", "hosted"], { LD_PRELOAD: runtime });
tests(["emulated"]);
