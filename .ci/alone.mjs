// Installs some archives with what they depend on and nothing else, in a folder of their own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsHere, projectNode, run } from "./workspace.mjs";

/**
 * @param archives manifests, each with its file
 * @param needed the names of those that are installed
 * @param files further files of the folder; program.mjs is the program
 * @param work receives the folder and what runs the program. Resolves to null or to what went wrong
 */
export async function alone(archives, needed, files, work) {
  const folder = mkdtempSync(join(tmpdir(), "polybin-alone-"));
  try {
    const all = { "package.json": JSON.stringify({ private: true, type: "module" }), ...files };
    for (const [name, content] of Object.entries(all)) writeFileSync(join(folder, name), content);
    const own = archives.filter((manifest) => needed.test(manifest.name) && fitsHere(manifest));
    const inFolder = { cwd: folder, env: { npm_config_audit: "false", npm_config_fund: "false" } };
    const packages = own.map(({ archive }) => archive);
    const installed = await run("npm", ["install", "--prefer-offline", ...packages], inFolder);
    if (installed.code !== 0) return installed.output;
    return await work(folder, () => run(projectNode(), ["program.mjs"], inFolder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
