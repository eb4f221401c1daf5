// Installs Debian's packages for tests, if the machine lacks their programs and apt-get may install them. Otherwise prints a
// note: those tests are skipped then, with the reason.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs, the packages that have them, and the tests that need them. */
const WANTED = [
  { program: "redis-server", name: "redis-server", tests: "the tests of the cluster" },
  {
    program: "wasm-ld",
    name: "clang lld libc++-dev-wasm32 libclang-rt-dev-wasm32",
    tests: "the tests of text in WebAssembly",
  },
  { program: "aarch64-linux-gnu-g++", name: "g++-aarch64-linux-gnu", tests: "the tests on arm64" },
  { program: "qemu-aarch64-static", name: "qemu-user-static", tests: "the tests on arm64" },
];

const has = (program) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

const apt = (...args) =>
  spawnSync("apt-get", ["-q", "-y", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "inherit"],
  }).status === 0;

const missing = WANTED.filter(({ program }) => !has(program));
if (missing.length > 0) {
  const names = missing.flatMap(({ name }) => name.split(" "));
  const install = () => apt("install", "--no-install-recommends", ...names);
  const installed = has("apt-get") && process.getuid?.() === 0 && (install() || (apt("update") && install()));
  for (const { name, tests } of missing) {
    console.log(
      installed
        ? `installed ${name} for ${tests}`
        : `note: ${name} is not installed, so ${tests} are skipped; install it: apt-get install ${name}`,
    );
  }
}
