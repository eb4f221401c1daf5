// `npm test`: set-up, every check, every test. All of them run even when one fails; the last line counts them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshProject } from "./fresh-project.mjs";
import { build, install } from "./setup.mjs";
import { typeChecks, unpack } from "./types.mjs";
import {
  archiveOf,
  isUnbuilt,
  pnpm,
  publishable,
  readManifest,
  run,
  workspacePackages,
} from "./workspace.mjs";

/** Test files at once; most of them start threads and processes of their own. */
const WORKERS = 2;
const scratch = mkdtempSync(join(tmpdir(), "polybin-test-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const total = { passed: 0, failed: [], skipped: [] };

/** Runs one check. It passes when `work` resolves to nothing; what it resolves to or throws says what is wrong. */
async function check(name, work) {
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
const program = (name, command, args) => [
  name,
  async () => {
    const { code, output } = await (command === "pnpm" ? pnpm(args) : run(command, args));
    return code === 0 ? null : output || `ended with ${code}`;
  },
];

const manifests = workspacePackages().map((folder) => ({ folder, ...readManifest(folder) }));

/** A package that has generated files in git says how to compare them with their source in a script of this name. */
const generatedChecks = manifests
  .filter((manifest) => manifest.scripts?.["check:generated"])
  .map(({ name }) =>
    program(`generated files of ${name}`, "pnpm", ["--filter", name, "run", "check:generated"]),
  );

/** A project that installs the archives; then publint and, for what can be imported, attw and compilers, on each of them. */
async function packedChecks() {
  const published = publishable().filter((manifest) => !isUnbuilt(manifest));
  for (const { name, main } of publishable().filter(isUnbuilt)) {
    total.skipped.push({ name: `archive of ${name}`, reason: `${main} is not built here` });
  }
  const project = join(scratch, "project");
  const works = await check("a fresh project installs what npm run pack packs, and counts", () =>
    freshProject(project),
  );
  if (!works) return [];
  const all = published.map((manifest) => ({ ...manifest, archive: join(project, archiveOf(manifest)) }));
  const importable = all.filter(({ exports }) => exports);
  const types = join(scratch, "types");
  return [
    ...all.map(({ name, archive }) => program(`publint ${name}`, "publint", [archive, "--strict"])),
    ...importable.map(({ name, archive }) =>
      program(`attw ${name}`, "attw", [archive, "--profile", "esm-only"]),
    ),
    ...((await check("unpack", () => unpack(importable, types))) ? typeChecks(types) : []),
  ];
}

/** Lines that a merge leaves where both sides changed the same. */
async function mergeMarkers() {
  const { code, output } = await run("git", ["grep", "-nE", "^(<{7}|>{7}) ", "--", "."]);
  return code === 1 ? null : output;
}

async function inParallel(checks, lanes) {
  const waiting = [...checks];
  const lane = async () => {
    while (waiting.length > 0) await check(...waiting.shift());
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function tests() {
  const summaryFile = join(scratch, "tests.json");
  let summary = null;
  const well = await check(
    "the test run: coverage, nothing unhandled, every skip with a reason",
    async () => {
      const { code } = await run(
        "vitest",
        [
          ..."run --root . --config .config/vitest.config.ts --coverage --reporter default".split(" "),
          ...["--reporter", ".ci/vitest-reporter.mjs"],
          // The projects have configurations of their own, so that what the root's says of workers is not theirs.
          ...["--maxWorkers", String(WORKERS)],
          // No test is timed: this ends one that hangs, on machines with others at work, too.
          ...["--testTimeout", "120000"],
        ],
        { inherit: true, env: { POLYBIN_TEST_SUMMARY: summaryFile } },
      );
      summary = JSON.parse(readFileSync(summaryFile, "utf8"));
      const mute = summary.skipped.filter(({ reason }) => !reason).map(({ name }) => name);
      if (mute.length > 0) return `skipped without a reason:\n${mute.join("\n")}`;
      if (summary.passed + summary.failed.length === 0) return "no test ran";
      return code === 0 || summary.failed.length > 0 ? null : `vitest ended with ${code} (see above)`;
    },
  );
  if (!well && !summary) return;
  total.passed += summary.passed;
  total.failed.push(...summary.failed);
  total.skipped.push(...summary.skipped);
}

try {
  if (await check("install", install)) {
    // Without a GPU, too, the native code must compile where nvcc is: for one architecture.
    await check("build", () => build("one"));
    await inParallel(
      [
        program("biome", "biome", ["check", "--error-on-warnings", "--max-diagnostics=200", "."]),
        program(
          "typecheck",
          "pnpm",
          "exec turbo run typecheck --output-logs=errors-only --concurrency=2".split(" "),
        ),
        program("import rules", "node", [".ci/import-rules.mjs"]),
        ["no merge is half done", mergeMarkers],
        program("knip", "knip", ["--config", ".config/knip.json", "--no-progress"]),
        ...generatedChecks,
        ...(await packedChecks()),
      ],
      2,
    );
    await tests();
  }
} finally {
  const list = (title, lines) =>
    lines.length > 0 && console.log(`\n${title}\n${lines.map((l) => `  ${l}`).join("\n")}`);
  list(
    "Skipped:",
    total.skipped.map(({ name, reason }) => `${name}: ${reason ?? "no reason given"}`),
  );
  list("Failed:", total.failed);
  process.exitCode = total.failed.length > 0 ? 1 : 0;
  console.log(`\n${total.passed} passed, ${total.failed.length} failed, ${total.skipped.length} skipped`);
}
