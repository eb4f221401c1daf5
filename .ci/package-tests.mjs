// The packages' tests, by turbo: those of a package of which nothing has changed, nor of what it is built of, come from
// the cache, with the numbers that were counted when they ran. Turbo keeps no run that failed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { addUp, check } from "./checks.mjs";
import { buildEnvironment } from "./setup.mjs";
import { pnpm, readManifest, root, workspacePackages } from "./workspace.mjs";

/** Test files at once; most of them start threads and processes of their own. */
const WORKERS = 2;

/** What is proven in which task of turbo.json. Slow files, *.slow.test.ts, are left to `.ci/run`. */
const TIERS = {
  test: { summary: ".turbo/tests.json", files: ["--exclude", "**/*.slow.test.ts"] },
  "test:slow": { summary: ".turbo/tests-slow.json", files: [".slow.test"] },
};

/** What tests find on a machine and skip without: a cached run must notice that it appeared. */
function machine() {
  const found = ["python3", "cc", "g++", "nvcc", "nvidia-smi", "mkfifo"].map((name) => {
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

/** Runs a tier of all packages that have it, and adds up what it came to. */
export async function packageTests(task, cuda) {
  const { summary, files } = TIERS[task];
  const packages = workspacePackages()
    .map((folder) => ({ folder, ...readManifest(folder) }))
    .filter(({ scripts }) => scripts?.[task]);
  const summaryOf = (folder) => join(root, folder, summary);
  for (const { folder } of packages) rmSync(summaryOf(folder), { force: true });
  const start = Date.now();
  const { code } = await pnpm(
    [
      ...`exec turbo run ${task} --continue --output-logs=new-only`.split(" "),
      // Two packages at once with a file each: no core waits for the last file of a package.
      ...[`--concurrency=${WORKERS}`, "--", ...files, "--maxWorkers=1", "--passWithNoTests"],
      // No test is timed: this ends one that hangs, on machines with others at work, too.
      ...[
        "--testTimeout=120000",
        "--reporter=default",
        `--reporter=${join(root, ".ci/vitest-reporter.mjs")}`,
      ],
    ],
    {
      inherit: true,
      env: { ...buildEnvironment(cuda), POLYBIN_TEST_SUMMARY: summary, POLYBIN_TEST_MACHINE: machine() },
    },
  );
  const ended = [];
  for (const { folder, name } of packages) {
    await check(`${task} of ${name}`, async () => {
      if (!existsSync(summaryOf(folder))) return "it did not come to its end (see above)";
      const result = JSON.parse(readFileSync(summaryOf(folder), "utf8"));
      const cached = result.ended < start;
      addUp(result, { cached });
      ended.push({ cached, name });
      const mute = result.skipped.filter(({ reason }) => !reason).map((test) => test.name);
      if (mute.length > 0) return `skipped without a reason:\n${mute.join("\n")}`;
      if (result.passed + result.failed.length + result.skipped.length === 0) return "no test ran";
      return result.failed.length > 0 ? `${result.failed.length} tests failed (see above)` : null;
    });
  }
  // Such as too little of core covered, which is no test of a name.
  await check(`${task}: every package's run ended well`, async () =>
    code === 0 ? null : `turbo ended with ${code} (see above)`,
  );
  return ended;
}
