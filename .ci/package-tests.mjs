// Runs the packages' tests with turbo. If neither a package nor its inputs have changed, turbo takes the results of its last
// run from the cache. Turbo never keeps a failed run.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { addUp, check } from "./checks.mjs";
import { buildEnvironment } from "./setup.mjs";
import { pnpm, readManifest, root, workspacePackages } from "./workspace.mjs";

/** Number of packages whose tests run in parallel. Most tests start threads and processes of their own: three were slower on two cores. */
const PACKAGES = 2;

/** The file in a package's folder that a tier's results go to (vitest.mjs has the tiers). */
const SUMMARIES = {
  test: ".turbo/tests.json",
  "test:slow": ".turbo/tests-slow.json",
  "test:nightly": ".turbo/tests-nightly.json",
};

/** Hashes the tools and devices that some tests need, so that turbo reruns tests after one of them appears. */
function machine() {
  const found = [
    "python3",
    "cc",
    "g++",
    "nvcc",
    "nvidia-smi",
    "mkfifo",
    "redis-server",
    "aarch64-linux-gnu-g++",
    "qemu-aarch64-static",
  ].map((name) => {
    const path = (process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find((file) => existsSync(file));
    return path === undefined ? `no ${name}` : `${path} ${statSync(path).mtimeMs}`;
  });
  const places = ["/dev/dri", "/dev/dxg", "/dev/nvidia0", join(root, "../shared/papers")].filter((path) =>
    existsSync(path),
  );
  const { VK_ICD_FILENAMES, NODE_OPTIONS } = process.env;
  const all = [process.platform, process.arch, VK_ICD_FILENAMES, NODE_OPTIONS, ...found, ...places];
  return createHash("sha1").update(all.join("\n")).digest("hex");
}

/**
 * Runs one tier of every package that has it, and adds up the results.
 * @param fresh whether to run every test again instead of taking results from turbo's cache
 * @param coverage whether packages that measure the coverage of their tests do so
 */
export async function packageTests(task, cuda, { fresh = false, coverage = false } = {}) {
  const summary = SUMMARIES[task];
  const packages = workspacePackages()
    .map((folder) => ({ folder, ...readManifest(folder) }))
    .filter(({ scripts }) => scripts?.[task]);
  const summaryOf = (folder) => join(root, folder, summary);
  for (const { folder } of packages) rmSync(summaryOf(folder), { force: true });
  const start = Date.now();
  const { code } = await pnpm(
    `exec turbo run ${task} --continue --output-logs=new-only --concurrency=${PACKAGES}`.split(" "),
    {
      inherit: true,
      env: {
        ...buildEnvironment(cuda),
        POLYBIN_TEST_SUMMARY: summary,
        ...(coverage && { POLYBIN_COVERAGE: "1" }),
        POLYBIN_TEST_MACHINE: machine() + (fresh ? randomUUID() : ""),
      },
    },
  );
  const ended = [];
  for (const { folder, name } of packages) {
    await check(`${task} of ${name}`, async () => {
      if (!existsSync(summaryOf(folder))) return "the run did not finish (see above)";
      const result = JSON.parse(readFileSync(summaryOf(folder), "utf8"));
      const cached = result.ended < start;
      addUp(result, { cached });
      ended.push({ cached, name });
      const mute = result.skipped.filter(({ reason }) => !reason).map((test) => test.name);
      if (mute.length > 0) return `skipped without a reason:\n${mute.join("\n")}`;
      if (result.passed + result.failed.length + result.skipped.length === 0) return "no test ran";
      // Each with its first error: a log that is cut often keeps these lines only.
      return result.failed.length > 0
        ? `tests failed:\n${result.failed.map(({ name, error }) => `${name}: ${error}`).join("\n")}`
        : null;
    });
  }
  // A run can also fail without a failed test, for example if the coverage of core is too low.
  await check(`${task}: turbo succeeded for every package`, async () =>
    code === 0 ? null : `turbo exited with ${code} (see above)`,
  );
  return ended;
}
