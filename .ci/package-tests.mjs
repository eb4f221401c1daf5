// Runs the packages' tests with turbo. If neither a package nor its inputs have changed, turbo takes the results of its last
// run from the cache. Turbo never keeps a failed run.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { addUp, check } from "./checks.mjs";
import { buildEnvironment } from "./setup.mjs";
import { TIERS } from "./tiers.mjs";
import { pnpm, readManifest, root, workspacePackages } from "./workspace.mjs";

/** Number of packages whose tests run in parallel. Most tests start threads and processes of their own: three were slower on two cores. */
const PACKAGES = 2;

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
 * Runs tiers of every package that has them, and adds up the results. All tiers are one run of turbo: no core waits for the
 * last package of a tier.
 * @param fresh whether to run every test again instead of taking results from turbo's cache
 * @param coverage whether packages that measure the coverage of their tests do so
 */
export async function packageTests(tiers, cuda, { fresh = false, coverage = false } = {}) {
  const runs = workspacePackages()
    .map((folder) => ({ folder, ...readManifest(folder) }))
    .flatMap(({ folder, name, scripts = {} }) =>
      tiers
        .filter((tier) => tier in scripts)
        .map((tier) => ({ name: `${tier} of ${name}`, summary: join(root, folder, TIERS[tier].summary) })),
    );
  for (const { summary } of runs) rmSync(summary, { force: true });
  const start = Date.now();
  const { code } = await pnpm(
    ["exec", "turbo", "run", ...tiers, "--continue", "--output-logs=new-only", `--concurrency=${PACKAGES}`],
    {
      inherit: true,
      env: {
        ...buildEnvironment(cuda),
        POLYBIN_TEST_RUN: "1",
        ...(coverage && { POLYBIN_COVERAGE: "1" }),
        POLYBIN_TEST_MACHINE: machine() + (fresh ? randomUUID() : ""),
      },
    },
  );
  for (const { name, summary } of runs) {
    await check(name, async () => {
      if (!existsSync(summary)) return "the run did not finish (see above)";
      const result = JSON.parse(readFileSync(summary, "utf8"));
      addUp(result, { cached: result.ended < start });
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
  await check("turbo succeeded for every package", async () =>
    code === 0 ? null : `turbo exited with ${code} (see above)`,
  );
}
