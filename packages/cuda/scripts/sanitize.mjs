// Runs the native code under the address and the undefined-behaviour sanitizer, on a machine without a GPU: the boundary
// and everything else that runs on the host, over the runtime of test/host, and the weighted kernels, compiled for the
// host (test/emulated). The sanitizers end the process at the first fault, which fails the test that ran.
//
// Arguments go to vitest. Leaks are not looked for, since Node and V8 free nothing when they end.
import { execFileSync, spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { compile, FOLDERS, findTools, hostStep, link, REPLACED, root, sources } from "./compile.mjs";

const SANITIZERS = [
  "-fsanitize=address,undefined",
  "-fno-sanitize-recover=all",
  // Node is compiled without the type information that this one needs of V8's objects.
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
  .flatMap((of) => sources(of, ".cc"))
  .filter((source) => !FOLDERS.some((of) => source.startsWith(of) && REPLACED.includes(basename(source))))
  .map(step);
await compile(steps);
await link(tools, join(folder, "polybin_host.node"), steps, SANITIZERS);

const runtime = execFileSync(tools.gxx, ["-print-file-name=libasan.so"], { encoding: "utf8" }).trim();
const sanitized = {
  ASAN_OPTIONS: "detect_leaks=0",
  POLYBIN_SANITIZED: folder,
  POLYBIN_SANITIZERS: SANITIZERS.join(" "),
};

/** Runs files of tests. `env`: what they need besides. */
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

// An addon cannot bring the sanitizer's runtime: it must be in the process before Node is.
tests(["boundary", "hosted"], { LD_PRELOAD: runtime });
tests(["emulated"]);
