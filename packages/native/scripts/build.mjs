// Builds the addon for this platform, or for those that the arguments name: build/<platform>/polybin_native.node, with copies
// in the packages of the platforms, npm/<platform>, and for this platform in dist. Without arguments and without a compiler,
// it says so in one line and succeeds: the package then looks for the package of its platform, or reports that there is none.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { compile, copy, link } from "@polybin/addon/compile";
import { findTools, root, sourcesFor, step } from "./compile.mjs";
import { platformHere } from "./targets.mjs";

const ADDON = "polybin_native.node";
const here = platformHere();

async function build(platform) {
  const tools = findTools(platform);
  if (tools.missing) return tools.missing;
  const folder = join(root, "build", platform);
  const steps = sourcesFor(tools).map(step(tools, join(folder, "objects")));
  await compile(steps);
  await link(tools.compiler, join(folder, ADDON), steps, tools.linked);
  const package_ = join(root, "npm", platform);
  const copies = [
    ...(existsSync(package_) ? [package_] : []),
    ...(platform === here ? [join(root, "dist")] : []),
  ];
  for (const to of copies) {
    mkdirSync(to, { recursive: true });
    copy(join(folder, ADDON), join(to, ADDON));
  }
  return null;
}

const wanted = process.argv.slice(2);
for (const platform of wanted.length > 0 ? wanted : [here]) {
  const missing = await build(platform);
  if (missing === null) continue;
  console.log(`native: the addon for ${platform} is not built here: ${missing}`);
  if (wanted.length > 0) process.exitCode = 1;
}
