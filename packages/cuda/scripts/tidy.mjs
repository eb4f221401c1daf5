// Runs clang-tidy, by the rules of .clang-tidy, over the C++ of the addon and of test/host. It reads headers together with
// the files that include them. It does not read the kernels, which only nvcc compiles here.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { shared, sources } from "@polybin/addon/compile";
import { FOLDERS, findTools, hostFlags, root } from "./compile.mjs";

const tools = findTools();
if (tools.missing) {
  console.error(`cuda: the native code is not analysed here: ${tools.missing}`);
  process.exit(1);
}
const OWN = [root, shared];
const files = [...FOLDERS, join(root, "test", "host")].flatMap((of) => sources(of));
// clang-tidy reports nothing from system headers, and those of Node and CUDA are not ours.
const flags = hostFlags(tools).map((flag, i, all) =>
  flag === "-I" && !OWN.some((own) => all[i + 1].startsWith(own)) ? "-isystem" : flag,
);
const { status, error } = spawnSync("clang-tidy", ["--quiet", ...files, "--", ...flags], {
  cwd: root,
  stdio: "inherit",
});
if (error) console.error(`clang-tidy: ${error.message}`);
process.exitCode = status ?? 1;
