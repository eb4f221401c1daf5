// Checks: run one by one or side by side, counted, and reported at the end.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pnpm, root, run } from "./workspace.mjs";

/** What all checks and tests came to. `fresh` of them ran now; the others passed before, and nothing has changed since. */
export const total = { passed: 0, failed: [], skipped: [], cached: 0 };

const skippedFile = join(root, "node_modules/.polybin/skipped.txt");

/** Runs one check. It passes when `work` resolves to nothing; what it resolves to or throws says what is wrong. */
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

/** A check that is one program, which must end with 0. */
export const program = (name, command, args, options) => [
  name,
  async () => {
    const { code, output } = await (command === "pnpm" ? pnpm(args, options) : run(command, args, options));
    return code === 0 ? null : output || `ended with ${code}`;
  },
];

export async function inParallel(checks, lanes) {
  const waiting = [...checks];
  const lane = async () => {
    while (waiting.length > 0) await check(...waiting.shift());
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Adds what a run of tests came to. */
export function addUp({ passed, failed, skipped }, { cached = false } = {}) {
  total.passed += passed;
  total.failed.push(...failed);
  total.skipped.push(...skipped);
  if (cached) total.cached += passed;
}

const NEEDS_GPU = /polybin_cuda|needs Linux, nvcc|NVIDIA GPU|addon is not built|CUDA device/;

/** Why most of what is left out is left out, by what its reason says, and what runs it. */
const KINDS = [
  {
    says: NEEDS_GPU,
    what: "need an NVIDIA GPU, nvcc and g++ (there `npm test` runs them; `npm run gpu:bundle` packs them for a machine without a network)",
  },
  { says: /No module named/, what: "need a Python package that `pip install` brings" },
  { says: /papers' texts/, what: "need the papers' texts" },
  { says: /^for Linux on x64/, what: "need Linux on x64" },
];

const withoutGpu = ({ name, reason }) =>
  `${name}: skipped, although this machine should have a GPU: ${reason}`;

/** One line for all that was left out; the list goes to a file, or is printed. */
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
  if (rest.length > 0) parts.push(`${rest.length} for reasons of their own`);
  console.log(`\nLeft out: ${parts.join("; ")}. All of them, with reasons: ${relative(root, skippedFile)}`);
}

/**
 * The end of a run: what failed, what was left out, what came from the cache, and the numbers on the last line.
 * `gpu`: whether a test that was skipped because no GPU was found counts as failed.
 */
export function report({ verbose, gpu }) {
  if (gpu)
    total.failed.push(...total.skipped.filter(({ reason }) => NEEDS_GPU.test(reason ?? "")).map(withoutGpu));
  if (total.failed.length > 0)
    console.log(`\nFailed:\n${total.failed.map((name) => `  ${name}`).join("\n")}`);
  leftOut(verbose);
  if (total.cached > 0)
    console.log(
      `Cached: ${total.cached} of those that passed did so before; nothing that they depend on has changed`,
    );
  process.exitCode = total.failed.length > 0 ? 1 : 0;
  console.log(`\n${total.passed} passed, ${total.failed.length} failed, ${total.skipped.length} skipped`);
}
