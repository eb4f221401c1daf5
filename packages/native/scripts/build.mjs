// Builds the addon, dist/polybin_native.node. This needs g++. Without it, it says so in one line and succeeds: the package
// then looks for the package of its platform, or reports that there is none. A copy goes to the package of this platform,
// npm/<platform>-<arch>.
import { copyFileSync, existsSync } from "node:fs";
import { basename, join } from "node:path";
import { compile, FOLDERS, findTools, link, root, sources, step } from "./compile.mjs";

const addon = join(root, "dist", "polybin_native.node");
const platform = join(root, "npm", `${process.platform}-${process.arch}`);

const tools = findTools();
if (tools.missing) {
  console.log(`native: the addon is not built here: ${tools.missing}`);
  process.exit(0);
}
const steps = FOLDERS.flatMap((of) => sources(of)).map(step(tools, join(root, "build", "addon")));
await compile(steps);
await link(addon, steps, process.platform === "linux" ? ["-static-libstdc++"] : []);
if (existsSync(platform)) copyFileSync(addon, join(platform, basename(addon)));
