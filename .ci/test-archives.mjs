// `npm run test:archives -- FOLDER [--gpu]`: tests the archives that a release will publish, the very files. It checks their
// contents and the glibc that the addon needs, and uses them in a fresh project, in bundlers, in Deno, in Bun and on every
// line of Node. --gpu is for a machine with an NVIDIA GPU: there the contract runs on the archives' CUDA backend instead.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { archiveChecks, releasedArchives } from "./archives.mjs";
import { check, inParallel, report } from "./checks.mjs";
import { consumerChecks } from "./consumers.mjs";
import { glibcProblem } from "./glibc.mjs";
import { gpuCheck, nodeChecks } from "./nodes.mjs";
import { install } from "./setup.mjs";
import { typeChecks, unpack } from "./types.mjs";
import { root, run } from "./workspace.mjs";

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined || folder.startsWith("-")) {
  console.error("usage: npm run test:archives -- FOLDER [--gpu]");
  process.exit(2);
}
if (process.platform !== "linux" || process.arch !== "x64") {
  console.error("test:archives: expected Linux on x64, because other platforms leave checks out");
  process.exit(2);
}
const gpu = flags.includes("--gpu");
const scratch = mkdtempSync(join(tmpdir(), "polybin-archives-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const project = join(scratch, "project");

/** The addons of a release, each compared with what its README promises. */
const addonChecks = (archives) =>
  archives
    .filter(({ libc }) => libc?.includes("glibc"))
    .map(({ name, main, archive, folder: source }) => [
      `glibc of ${name}`,
      async () => {
        // npm installs only the addon of this platform.
        const to = join(scratch, "addons", source);
        mkdirSync(to, { recursive: true });
        const { code, output } = await run("tar", ["-xzf", archive, "-C", to, "--strip-components=1"]);
        return code === 0 ? glibcProblem(join(to, main), join(root, source, "README.md")) : output;
      },
    ]);

async function onThisMachine(archives) {
  const types = join(scratch, "types");
  const importable = archives.filter(({ exports }) => exports);
  const compiled = (await check("unpack", () => unpack(importable, types)))
    ? typeChecks(types, { nightly: true })
    : [];
  const checks = [...archiveChecks(archives, { nightly: true }), ...addonChecks(archives)];
  await inParallel(
    [
      ...checks,
      ...(await consumerChecks(project, { nightly: true })),
      ...(await nodeChecks(project, { nightly: true })),
      ...compiled,
    ],
    2,
  );
}

try {
  if (await check("install", install)) {
    const archives = await releasedArchives(project, resolve(process.env.INIT_CWD ?? ".", folder));
    if (archives && gpu) await check(...gpuCheck(project));
    else if (archives) await onThisMachine(archives);
  }
} finally {
  report({ verbose: true, gpu });
}
