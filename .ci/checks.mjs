// Runs checks one by one or in parallel, counts them, and reports them at the end.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pnpm, root, run } from "./workspace.mjs";

/** The results of all checks and tests. `cached` of those that passed did so in an earlier run with the same inputs. */
export const total = { passed: 0, failed: [], skipped: [], cached: 0 };

const skippedFile = join(root, "node_modules/.polybin/skipped.txt");

/** Runs one check. It passes if `work` resolves to nothing. Otherwise the value or the error says what is wrong. */
export async function check(name, work) {
  const start = performance.now();
  let problem;
  try {
    problem = await work();
  } catch (error) {
    problem = error.stack;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (problem) {
    total.failed.push(name);
    console.log(`FAILED  ${name} (${seconds} s)\n${problem.trimEnd().replaceAll(/^/gm, "        ")}`);
  } else {
    total.passed += 1;
    console.log(`ok      ${name} (${seconds} s)`);
  }
  return !problem;
}

/** A check that is one program, which must exit with 0. */
export const program = (name, command, args, options) => [
  name,
  async () => {
    const { code, output } = await (command === "pnpm" ? pnpm(args, options) : run(command, args, options));
    return code === 0 ? null : output || `exited with ${code}`;
  },
];

/** Runs checks in some lanes. Resolves to whether all of them passed. */
export async function inParallel(checks, lanes) {
  const waiting = [...checks];
  let passed = true;
  const lane = async () => {
    while (waiting.length > 0) if (!(await check(...waiting.shift()))) passed = false;
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return passed;
}

/** Adds the results of one test run. A failed test has its name and the message of its first error. */
export function addUp({ passed, failed, skipped }, { cached = false } = {}) {
  total.passed += passed;
  total.failed.push(...failed.map(({ name, error }) => `${name}: ${error.split("\n")[0]}`));
  total.skipped.push(...skipped);
  if (cached) total.cached += passed;
}

const NEEDS_GXX = /polybin_native/;
const NEEDS_GPU =
  /^(?!.*polybin_native).*(polybin_cuda|needs Linux, nvcc|NVIDIA GPU|addon is not built|CUDA device)/s;

/** The most common reasons for skipped tests, and what a machine needs to run them. */
const KINDS = [
  { says: /^for another platform/, what: "are for other platforms" },
  {
    says: NEEDS_GPU,
    what: "need an NVIDIA GPU, nvcc and g++ (there `npm test` runs them; `npm run gpu:bundle` packs them for a machine without a network)",
  },
  { says: NEEDS_GXX, what: "need g++ on Linux x64" },
  { says: /No module named/, what: "need a Python package from `pip install`" },
  { says: /needs redis-server/, what: "need redis-server (`apt-get install redis-server`)" },
  {
    says: /needs (g\+\+-aarch64|qemu)/,
    what: "need an emulator of arm64 (`apt-get install g++-aarch64-linux-gnu qemu-user-static`)",
  },
  { says: /papers' texts/, what: "need the papers' texts" },
  { says: /^for Linux on x64/, what: "need Linux on x64" },
];

const withoutGpu = ({ name, reason }) =>
  `${name}: skipped, although this machine should have a GPU: ${reason}`;

/** Prints one line for all skipped tests. The full list goes to a file, and to the output if `verbose` is set. */
function leftOut(verbose) {
  const lines = total.skipped.map(({ name, reason }) => `${name}: ${reason ?? "no reason given"}`);
  if (lines.length === 0) return;
  if (verbose) console.log(`\nSkipped:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  mkdirSync(dirname(skippedFile), { recursive: true });
  writeFileSync(skippedFile, `${lines.join("\n")}\n`);
  const rest = [...total.skipped];
  const parts = [];
  for (const { says, what } of KINDS) {
    const own = rest.filter(({ reason }) => says.test(reason ?? ""));
    for (const one of own) rest.splice(rest.indexOf(one), 1);
    if (own.length > 0) parts.push(`${own.length} ${what}`);
  }
  if (rest.length > 0) parts.push(`${rest.length} for other reasons`);
  console.log(`\nSkipped: ${parts.join("; ")}. The list, with reasons: ${relative(root, skippedFile)}`);
}

/**
 * Reports a run: failures, skipped tests, cached results, and the counts on the last line. If `gpu` is set, a test that
 * was skipped because no GPU was found has failed.
 */
export function report({ verbose, gpu }) {
  if (gpu)
    total.failed.push(...total.skipped.filter(({ reason }) => NEEDS_GPU.test(reason ?? "")).map(withoutGpu));
  if (total.failed.length > 0)
    console.log(`\nFailed:\n${total.failed.map((name) => `  ${name}`).join("\n")}`);
  leftOut(verbose);
  if (total.cached > 0)
    console.log(`Cached: ${total.cached} of the passed tests; their inputs have not changed since they ran`);
  process.exitCode = total.failed.length > 0 ? 1 : 0;
  console.log(`\n${total.passed} passed, ${total.failed.length} failed, ${total.skipped.length} skipped`);
}
