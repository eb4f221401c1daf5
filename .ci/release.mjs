// `npm run release -- FOLDER`: publishes the archives that `npm run pack -- FOLDER` made, dependencies first. It skips a
// version that the registry already has, so you can repeat a release that broke off.
//
//   --dry-run   publishes nothing and asks for no provenance, but checks the same
//   --pending   prints true if the registry lacks a package of this checkout's version, else false
//   --version   prints this checkout's version
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { archiveOf, publishable, run } from "./workspace.mjs";

const UNRELEASED = "0.0.0";

/** The manifests in an order in which each follows its dependencies. */
export function inOrder(manifests) {
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  const ordered = new Set();
  const add = (manifest) => {
    if (ordered.has(manifest)) return;
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      if (byName.has(name)) add(byName.get(name));
    }
    ordered.add(manifest);
  };
  for (const manifest of manifests) add(manifest);
  return [...ordered];
}

/** The one version of all packages. */
function versionOf(manifests) {
  const versions = new Set(manifests.map(({ version }) => version));
  if (versions.size !== 1)
    throw new Error(`expected one version of all packages but found ${[...versions].join(", ")}`);
  return manifests[0].version;
}

/** Whether the registry has this version of a package. */
async function isPublished({ name, version }) {
  const { code, output } = await run("npm", ["view", `${name}@${version}`, "version", "--json"]);
  if (code === 0) return output.includes(version);
  if (/E404/.test(output)) return false;
  throw new Error(`npm view ${name}@${version} ended with ${code}\n${output}`);
}

async function isPending(manifests) {
  if (versionOf(manifests) === UNRELEASED) return false;
  const published = await Promise.all(manifests.map(isPublished));
  return published.includes(false);
}

async function release(folder, dryRun) {
  const manifests = inOrder(publishable());
  const version = versionOf(manifests);
  const archives = manifests.map((manifest) => ({ ...manifest, archive: join(folder, archiveOf(manifest)) }));
  const missing = archives.filter(({ archive }) => !existsSync(archive)).map(({ name }) => name);
  if (missing.length > 0)
    throw new Error(
      `expected an archive of every package in ${folder} but found none of ${missing.join(", ")}`,
    );
  if (version === UNRELEASED && !dryRun)
    throw new Error(`expected a version to publish but found ${UNRELEASED}`);
  const flags = dryRun ? ["--dry-run"] : ["--provenance"];
  for (const manifest of archives) {
    const { name, archive } = manifest;
    if (!dryRun && (await isPublished(manifest))) {
      console.log(`${name}@${version}: published before`);
      continue;
    }
    const { code, output } = await run("npm", ["publish", archive, "--access", "public", ...flags]);
    if (code !== 0) throw new Error(`npm publish ${archive} ended with ${code}\n${output}`);
    console.log(`${name}@${version}: ${dryRun ? "would be published" : "published"}`);
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const flags = argv.slice(2).filter((word) => word.startsWith("--"));
  const [folder, ...more] = argv.slice(2).filter((word) => !word.startsWith("--"));
  try {
    if (flags.includes("--version")) console.log(versionOf(publishable()));
    else if (flags.includes("--pending")) console.log(await isPending(publishable()));
    else if (folder === undefined || more.length > 0)
      throw new Error("usage: npm run release -- FOLDER [--dry-run]");
    else await release(resolve(process.env.INIT_CWD ?? ".", folder), flags.includes("--dry-run"));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
