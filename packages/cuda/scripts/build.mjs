// Builds the addon, dist/polybin_cuda.node, for the GPUs that targets.mjs selects. This needs nvcc and g++. Without
// them it says so in one line and succeeds: the package then looks for the package of its platform, or reports that
// there is none. A copy goes to the package of this platform, npm/<platform>-<arch>. The tests' own addons are built next
// to it: dist/polybin_fault.node, and dist/polybin_host.node, which has the same boundary over a fake CUDA runtime
// (test/host).
import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { compile, copy, link, sources } from "@polybin/addon/compile";
import { FOLDERS, findTools, hostStep, kernelStep, LIBRARIES, REPLACED, root } from "./compile.mjs";
import { flagsOf, target } from "./targets.mjs";

const addon = join(root, "dist", "polybin_cuda.node");
const fault = join(root, "dist", "polybin_fault.node");
const hosted = join(root, "dist", "polybin_host.node");
const platform = join(root, "npm", `${process.platform}-${process.arch}`);

const wanted = target();
if (wanted === "none") {
  for (const file of [addon, fault, hosted, join(platform, basename(addon))]) rmSync(file, { force: true });
  console.log("cuda: the addon is not built: this machine has no NVIDIA GPU; npm run build:cuda builds it");
  process.exit(0);
}
const tools = findTools();
if (tools.missing) {
  console.log(`cuda: the addon is not built here: ${tools.missing}`);
  process.exit(0);
}

const objects = join(root, "build", wanted);
const kernel = kernelStep(tools, objects, flagsOf[wanted]);
const host = hostStep(tools, objects);
const hostSteps = FOLDERS.flatMap((of) => sources(of)).map(host);
const addonSteps = [...FOLDERS.flatMap((of) => sources(of, ".cu")).map(kernel), ...hostSteps];
const faultSteps = sources(join(root, "test", "device"), ".cu").map(kernel);
const hostedSteps = sources(join(root, "test", "host")).map(host);
await compile([...addonSteps, ...faultSteps, ...hostedSteps]);

const libraries = ["lib64", "lib", "targets/x86_64-linux/lib"].flatMap((part) => [
  "-L",
  join(tools.folder, part),
]);
const cudart = [...libraries, "-lcudart_static", "-static-libstdc++", ...LIBRARIES];
await link(tools.gxx, addon, addonSteps, cudart);
await link(tools.gxx, fault, faultSteps, cudart);
// The tests' own files replace these, the kernels and the runtime.
const shared = hostSteps.filter(({ source }) => !REPLACED.includes(basename(source)));
await link(tools.gxx, hosted, [...shared, ...hostedSteps], ["-static-libstdc++", ...LIBRARIES]);
if (existsSync(platform)) copy(addon, join(platform, basename(addon)));
