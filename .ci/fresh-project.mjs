// A user's project with the archives of this checkout. Everything is packed, installed by the line that `npm run pack` prints,
// imported and run. A release passes the archives that it will publish instead of packing again.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtFor } from "./setup.mjs";
import { archiveOf, fitsHere, projectNode, publishable, root, run } from "./workspace.mjs";

const PROGRAM = `
import { openTable } from "@polybin/columns";
import { openEngine } from "@polybin/core";
import { cuda } from "@polybin/cuda";
import { serveDashboard } from "@polybin/dashboard";
import { native } from "@polybin/native";
import { decode } from "@polybin/pictures";
import { piscina } from "@polybin/piscina";
import { webgpu } from "@polybin/webgpu";

const engine = await openEngine({ backend: piscina() });
const { counts, backend } = await engine.histogram(Uint8Array.of(1, 2, 2, 255));
// Three grey pixels: 5, 7, 7.
const picture = await decode(Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAMAAAABCAAAAAA+i0toAAAADElEQVR4XmNgZWcHAAAoABTDGvbZAAAAAElFTkSuQmCC", "base64"));
const [grey] = await engine.histograms(picture);
await engine.close();
const table = await openTable(Buffer.from("a,b\\n1,x\\n2,y\\n"), { format: "csv", threads: 1 });
const columns = [];
for await (const batch of table.read()) columns.push(...batch.columns[0].values);
await table.close();
const none = { ids: [], list: async () => [], load: async (id) => Promise.reject(id) };
const dashboard = await serveDashboard({ port: 0, backends: none });
const page = await (await fetch(dashboard.origin)).text();
const probes = { cuda: await cuda().probe(), native: await native().probe(), webgpu: await webgpu().probe() };
console.log(JSON.stringify({ backend, columns, counts: [...counts.slice(0, 3)], grey: [...grey.counts.slice(5, 8)], page, probes }));
// Handles of a driver must not keep the process alive.
process.exit();
`;

/** Packs this checkout into a folder. Returns the arguments of npm that install the archives, as `npm run pack` prints them. */
async function pack(folder) {
  // Compiling for all GPUs takes minutes and tests nothing more than compiling for one.
  const env = { POLYBIN_CUDA: builtFor() };
  const { code, output } = await run(projectNode(), [join(root, ".ci/pack.mjs"), folder], { env });
  assert.equal(code, 0, output);
  const [command, ...args] = output.trimEnd().split("\n").at(-1).split(" ");
  assert.deepEqual([command, args.shift()], ["npm", "install"], output);
  return args;
}

/** Copies an archive of every package into a folder. Returns the arguments of npm that install those for this platform. */
function take(archives, folder) {
  for (const name of publishable().map(archiveOf)) cpSync(join(archives, name), join(folder, name));
  return publishable()
    .filter(fitsHere)
    .map((manifest) => `./${archiveOf(manifest)}`);
}

/**
 * Makes a project in a folder and runs it. Resolves to null or to an error message.
 * @param archives the folder that has the archives. Default: this checkout is packed.
 */
export async function freshProject(folder, archives = null) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "program.mjs"), PROGRAM);
  writeFileSync(join(folder, "bytes.bin"), Uint8Array.of(0, 7, 7, 255));

  const args = archives === null ? await pack(folder) : take(archives, folder);
  const inProject = { cwd: folder, env: { npm_config_audit: "false", npm_config_fund: "false" } };
  const installed = await run("npm", ["install", "--prefer-offline", ...args], inProject);
  if (installed.code !== 0) return installed.output;

  const ran = await run(projectNode(), ["program.mjs"], inProject);
  if (ran.code !== 0) return ran.output;
  const found = JSON.parse(ran.output.trimEnd().split("\n").at(-1));
  assert.deepEqual([found.backend, found.counts, found.grey], ["piscina", [0, 1, 2], [1, 0, 2]]);
  assert.deepEqual(found.columns, [1, 2]);
  assert.match(found.page, /data-server="here"/);
  for (const { available, reason } of Object.values(found.probes))
    assert(available || reason.length > 0, ran.output);
  const hasAddon = (backend) =>
    readdirSync(folder).some((name) => name.startsWith(`polybin-${backend}-linux-`));
  assert.equal(found.probes.native.available, hasAddon("native"), found.probes.native.reason);
  const { available, reason } = found.probes.cuda;
  assert(
    available || reason.startsWith(hasAddon("cuda") ? "no CUDA device: " : "the addon could not be loaded"),
    reason,
  );

  const counted = await run("npx", ["polybin", "hist", "bytes.bin", "--raw", "--json"], inProject);
  if (counted.code !== 0) return counted.output;
  const { channels } = JSON.parse(counted.output);
  assert.deepEqual([channels[0].counts[7], channels[0].counts.length], [2, 256]);
  return null;
}
