// Runs vitest in a package's folder, as its scripts `test`, `test:slow` and `test:nightly` do. Arguments go to vitest. In a
// run of .ci/test.mjs, it runs the files of the script's tier and writes a summary. Turbo passes no arguments, because it
// would hash them with every task before the tests, and build everything again for each tier.
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { env } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TIERS } from "./tiers.mjs";

const given = process.argv.slice(2);
const inRun = () => [
  ...TIERS[env.npm_lifecycle_event].files,
  // Packages run in parallel, each one file at a time, so that no core waits for the last file of a package. The command
  // passes 2: turbo tests it last, and then it has both cores.
  ...(given.some((arg) => arg.startsWith("--maxWorkers=")) ? [] : ["--maxWorkers=1"]),
  "--passWithNoTests",
  // Tests measure no time. These limits end a test or a hook that hangs, even on a busy machine.
  "--testTimeout=120000",
  "--hookTimeout=120000",
  "--reporter=default",
  `--reporter=${fileURLToPath(new URL("vitest-reporter.mjs", import.meta.url))}`,
];

const vitest = dirname(createRequire(resolve("package.json")).resolve("vitest/package.json"));
process.argv.splice(2, given.length, "run", ...(env.POLYBIN_TEST_RUN ? inRun() : []), ...given);
await import(pathToFileURL(join(vitest, "vitest.mjs")).href);
