// `webgpu.mjs`: runs the contract on this machine's WebGPU, which must be a GPU, and prints the results as one line of JSON.
// `webgpuCheck` runs it for `npm test -- --gpu`. The tests of packages/webgpu compute on the CPU, on any machine.
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { addUp } from "./checks.mjs";
import { projectNode, root, run } from "./workspace.mjs";

/** Returns null, or a sentence if a probe found no GPU. */
export function gpuProblem({ available, reason, device, software }) {
  if (!available) return `expected a GPU for WebGPU but found none: ${reason}`;
  return software ? `expected a GPU for WebGPU but found ${device}, which computes on the CPU` : null;
}

/** Runs the contract in its own process. Resolves to null or to an error message. */
async function webgpuRuns() {
  const { code, output } = await run(projectNode(), [fileURLToPath(import.meta.url)]);
  const last = output.trimEnd().split("\n").at(-1);
  if (!last.startsWith("{")) return output || `ended with ${code}`;
  const { problem, device, results } = JSON.parse(last);
  if (problem !== null) return problem;
  const of = (wanted) => results.filter(({ status }) => status === wanted);
  const named = ({ topic, name }) => `webgpu on ${device} > ${topic} > ${name}`;
  addUp({
    passed: of("passed").length,
    failed: of("failed").map(named),
    skipped: of("skipped").map((one) => ({ name: named(one), reason: one.reason })),
  });
  if (of("failed").length > 0)
    return of("failed")
      .map((one) => `${named(one)}: ${one.reason}`)
      .join("\n");
  return of("passed").length === 0 ? "no test ran" : null;
}

export const webgpuCheck = ["conformance of WebGPU on a GPU", webgpuRuns];

if (argv[1] === fileURLToPath(import.meta.url)) {
  const load = (name) => import(pathToFileURL(join(root, "packages", name, "dist/index.js")).href);
  const { webgpu } = await load("webgpu");
  const probe = await webgpu().probe();
  const problem = gpuProblem(probe);
  const { runConformance } = await load("conformance");
  const results = problem === null ? (await runConformance(webgpu, { required: true })).results : [];
  console.log(JSON.stringify({ problem, device: probe.device, results }));
  // Handles of a driver must not keep the process alive.
  process.exit();
}
