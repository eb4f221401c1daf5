// `npm run pack -- FOLDER`: builds this checkout if necessary, packs everything that a project can use, and prints how to
// install it.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { setUp } from "./setup.mjs";
import { unbuiltAdvice } from "./unbuilt-advice.mjs";
import { archiveOf, fitsHere, isUnbuilt, packArguments, pnpm, publishable } from "./workspace.mjs";

const fail = (message) => {
  process.stderr.write(`${message.trimEnd()}\n`);
  process.exit(1);
};

const [to, ...more] = process.argv.slice(2);
if (to === undefined || to.startsWith("-") || more.length > 0) fail("usage: npm run pack -- FOLDER");
// npm runs scripts in the root; FOLDER is relative to the folder that npm was called in.
const folder = resolve(process.env.INIT_CWD ?? ".", to);
mkdirSync(folder, { recursive: true });

// A machine that installs the archives may have any GPU.
const problem = await setUp("all");
if (problem) fail(`${problem.trimEnd()}\npolybin: the set-up failed (see above)`);

const all = publishable();
const packed = all.filter((manifest) => !isUnbuilt(manifest));
const { code, output } = await pnpm(packArguments(packed, folder));
if (code !== 0) fail(output);

for (const manifest of all.filter(isUnbuilt)) console.log(`${unbuiltAdvice(manifest)}\n`);
const installed = packed.filter(fitsHere);
console.log(
  `packed ${packed.length} archives. Install those for this platform together, because they depend on one another:\n`,
);
console.log(`cd ${folder}`);
console.log(`npm install ${installed.map((manifest) => `./${archiveOf(manifest)}`).join(" ")}`);
