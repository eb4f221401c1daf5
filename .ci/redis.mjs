// Installs redis-server for the tests of the cluster, if the machine has none and apt-get may install it. Otherwise prints a
// note: those tests are skipped then, with the reason.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const has = (program) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

const apt = (...args) =>
  spawnSync("apt-get", ["-q", "-y", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "inherit"],
  }).status === 0;

if (!has("redis-server")) {
  const installed =
    has("apt-get") &&
    process.getuid?.() === 0 &&
    (apt("install", "redis-server") || (apt("update") && apt("install", "redis-server")));
  console.log(
    installed
      ? "installed redis-server for the tests of the cluster"
      : "note: no redis-server on the path, so the tests of the cluster are skipped; install it: apt-get install redis-server, brew install redis",
  );
}
