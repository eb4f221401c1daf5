// Builds dist/dawn/stderr-<platform>-<arch>.node from native/stderr.c. This needs a C compiler and Node's headers.
// Without them the script says so in one line and succeeds: the package works as well, but a driver's messages reach
// stderr.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const headers = resolve(dirname(process.execPath), "..", "include", "node");
const target = join(root, "dist", "dawn", `stderr-${process.platform}-${process.arch}.node`);

function problem() {
  if (process.platform !== "linux") return "only Dawn on Linux writes noise to stderr";
  if (!existsSync(join(headers, "node_api.h"))) return `the headers of this Node are not in ${headers}`;
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
    return null;
  } catch {
    return "it needs a C compiler, cc";
  }
}

const reason = problem();
if (reason === null) {
  mkdirSync(dirname(target), { recursive: true });
  const flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-pthread", "-s"];
  execFileSync("cc", [...flags, "-I", headers, join(root, "native", "stderr.c"), "-o", target], {
    stdio: "inherit",
  });
} else console.log(`webgpu: the addon that keeps stderr quiet is not built here: ${reason}`);
