// `npm test`: set-up, then every check and test except the slow ones. All of them run even if one fails, and the last line
// counts them.
//
//   --all       adds the slow tests (`.ci/run`)
//   --nightly   adds the nightly tests, and the whole contract on every line of Node
//   --verbose   prints why each test was skipped
//   --fresh     runs every check and test, even if it passed with the same files
//   --gpu       is for a machine with an NVIDIA GPU: a test that was skipped because no GPU was found fails the run, and so
//               does a WebGPU that computes on the CPU
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveChecks, installedArchives } from "./archives.mjs";
import { check, inParallel, program, report, total } from "./checks.mjs";
import { consumerChecks } from "./consumers.mjs";
import { nodeChecks } from "./nodes.mjs";
import { packageTests } from "./package-tests.mjs";
import { Passed } from "./passed.mjs";
import { build, buildEnvironment, install } from "./setup.mjs";
import { typeChecks, unpack } from "./types.mjs";
import { webgpuCheck } from "./webgpu.mjs";
import { readManifest, run, workspacePackages } from "./workspace.mjs";

const flags = process.argv.slice(2);
const [all, nightly, verbose, fresh, gpu] = ["--all", "--nightly", "--verbose", "--fresh", "--gpu"].map(
  (flag) => flags.includes(flag),
);
/** If nvcc is available, the native code must compile for one architecture, even without a GPU. */
const CUDA = "one";

const scratch = mkdtempSync(join(tmpdir(), "polybin-test-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const manifests = workspacePackages().map((folder) => ({ folder, ...readManifest(folder) }));

/** If a package has generated files in git, its script of this name compares them with their source. */
const generatedChecks = manifests
  .filter((manifest) => manifest.scripts?.["check:generated"])
  .map(({ name }) =>
    program(`generated files of ${name}`, "pnpm", ["--filter", name, "run", "check:generated"]),
  );

/** Finds the conflict markers of an unfinished merge. */
async function mergeMarkers() {
  const { code, output } = await run("git", ["grep", "-nE", "^(<{7}|>{7}) ", "--", "."]);
  return code === 1 ? null : output;
}

async function quickChecks(passed) {
  await inParallel(
    [
      program("biome", "biome", ["check", "--error-on-warnings", "--max-diagnostics=200", "."]),
      program(
        "typecheck",
        "pnpm",
        "exec turbo run typecheck --output-logs=errors-only --concurrency=2".split(" "),
        { env: buildEnvironment(CUDA) },
      ),
      program("import rules", "node", [".ci/import-rules.mjs"]),
      program("import rules: each kind of what is forbidden is found", "node", [
        "--test",
        ".ci/import-rules.test.mjs",
      ]),
      program("prose", "node", [".ci/prose.mjs"]),
      program("prose: each rule finds a bad sentence", "node", ["--test", ".ci/prose.test.mjs"]),
      ["no merge is half done", mergeMarkers],
      program("native code is formatted", "node", [".ci/clang-format.mjs"]),
      program("workflows", "node", [".ci/workflows.mjs"]),
      program("scripts of .ci: tests", "node", [
        "--test",
        ...["archive-contents", "glibc", "release", "types", "unbuilt-advice", "webgpu", "workflows"].map(
          (name) => `.ci/${name}.test.mjs`,
        ),
      ]),
      program("knip", "knip", ["--config", ".config/knip.json", "--no-progress"]),
      ...generatedChecks,
    ].map((one) => passed.once(one)),
    2,
  );
}

/** The name under which all checks of the archives are remembered. */
const ARCHIVES = "the archives";

/** Checks the archives one by one, unless they have passed and no slow check needs them. */
async function archivesWork(passed) {
  if (!all && passed.has(ARCHIVES)) {
    total.cached += 1;
    await check(ARCHIVES, async () => null);
    return;
  }
  const project = join(scratch, "project");
  const archives = await installedArchives(project);
  if (!archives) return;
  const works = await inParallel(archiveChecks(archives, { nightly }), 1);
  if (works) passed.add(ARCHIVES);
  if (all) await inParallel(await slowChecks(archives, project), 1);
}

/** Users' programs with the archives: in their compilers, in bundlers and runtimes, and on every Node. */
async function slowChecks(archives, project) {
  const importable = archives.filter(({ exports }) => exports);
  const types = join(scratch, "types");
  const compiled = (await check("unpack", () => unpack(importable, types)))
    ? typeChecks(types, { nightly })
    : [];
  return [
    ...(await consumerChecks(project, { nightly })),
    ...(await nodeChecks(project, { nightly })),
    ...compiled,
  ];
}

try {
  if (await check("install", install)) {
    await check("build", () => build(CUDA));
    const passed = await Passed.open({ fresh });
    await quickChecks(passed);
    const tiers = ["test", ...(all ? ["test:slow"] : []), ...(nightly ? ["test:nightly"] : [])];
    // The checks of the archives use what the tests leave of the cores.
    await Promise.all([archivesWork(passed), packageTests(tiers, CUDA, { fresh, coverage: nightly })]);
    if (gpu) await check(...webgpuCheck);
  }
} finally {
  report({ verbose, gpu });
}
