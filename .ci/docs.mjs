// `npm run docs`: set-up, then the site of the documentation, into docs/site/dist. `npm run docs -- --dev` and
// `npm run docs -- --preview` serve it: the pages while they are edited, or the built site.
import { argv } from "node:process";
import { setUp } from "./setup.mjs";
import { pnpm } from "./workspace.mjs";

const SCRIPTS = { "--dev": "dev", "--preview": "preview" };

const [flag] = argv.slice(2);
const script = flag === undefined ? "docs" : SCRIPTS[flag];
if (script === undefined) {
  throw new Error(`expected ${Object.keys(SCRIPTS).join(" or ")} but received ${flag}`);
}
const problem = await setUp();
if (problem) {
  process.stderr.write(`${problem.trimEnd()}\npolybin: the set-up failed (see above)\n`);
  process.exitCode = 1;
} else {
  const { code } = await pnpm(["--filter", "@polybin/site", "run", script], { inherit: true });
  process.exitCode = code;
}
