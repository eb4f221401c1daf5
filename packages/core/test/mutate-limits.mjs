// Changes each number that core's files own, or another package's file, by +1 and by -1, one at a time, in a
// copy of src and test outside the working tree, runs tests there, and lists the changes that no test noticed. Ends with 1
// when there are any.
//
//   node test/mutate-limits.mjs              limits-behaviour.test.ts, then limits.test.ts where it saw nothing
//   node test/mutate-limits.mjs --all        every test of this package, without limits.test.ts
//
// Another package's: FILE beneath the folder where it is started, as in `pnpm run mutate` of a backend.
import { spawn } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { argv, cwd, execPath, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { mutantsOf, OWNERS } from "./mutants.ts";

const core = fileURLToPath(new URL("..", import.meta.url));
const given = argv.slice(2).find((word) => !word.startsWith("--"));
const home = given === undefined ? core : `${cwd()}/`;
const files =
  given === undefined
    ? globSync(
        OWNERS.map((file) => `src/${file}`),
        { cwd: core },
      )
    : [given];
const rounds = argv.includes("--all")
  ? [["--exclude", "**/limits.test.ts"], ["test/limits.test.ts"]]
  : [["test/limits-behaviour.test.ts"], ["test/limits.test.ts"]];

const mutants = files.flatMap((file) => {
  const original = readFileSync(join(home, file), "utf8");
  return mutantsOf(original).map((mutant) => ({
    ...mutant,
    name: `${file}, ${mutant.name}`,
    file,
    original,
  }));
});
const scratch = mkdtempSync(join(tmpdir(), "polybin-mutate-"));
const survivors = [];
const pinnedOnly = [];

/** Beside core, where the tests of others find its helpers. */
function copy(name) {
  const folder = join(scratch, name, basename(home));
  for (const part of ["src", "test", "package.json"]) {
    cpSync(join(home, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(home, "node_modules"), join(folder, "node_modules"));
  if (home !== core) symlinkSync(core, join(scratch, name, basename(core)));
  return folder;
}

/** Do these tests pass in the folder? */
function passes(folder, filter) {
  const vitest = join(home, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--root", folder, "--bail", "1", "--reporter", "dot", ...filter];
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, args, { stdio: "ignore" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code === 0));
  });
}

async function kill(folder, { name, source, file, original }) {
  writeFileSync(join(folder, file), source);
  try {
    await tryOut(folder, name);
  } finally {
    writeFileSync(join(folder, file), original);
  }
}

async function tryOut(folder, name) {
  for (const [round, filter] of rounds.entries()) {
    if (!(await passes(folder, filter))) {
      if (round > 0) pinnedOnly.push(name);
      return;
    }
  }
  survivors.push(name);
}

try {
  const folders = Array.from({ length: Math.min(availableParallelism(), 8) }, (_, i) => copy(`${i}`));
  for (const filter of rounds) {
    if (!(await passes(folders[0], filter))) throw new Error(`the unchanged tests fail: ${filter}`);
  }
  const queue = [...mutants];
  await Promise.all(
    folders.map(async (folder) => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift())
        await kill(folder, mutant);
    }),
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const name of pinnedOnly) console.log(`noticed by the table of constants only: ${name}`);
for (const name of survivors) console.log(`survived: ${name}`);
console.log(`${mutants.length} mutants, ${survivors.length} survived`);
exit(survivors.length === 0 ? 0 : 1);
