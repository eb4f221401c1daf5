// Checks the archives that a release would publish: installs them in a fresh project, and runs publint and attw.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { contentProblems } from "./archive-contents.mjs";
import { check, program, total } from "./checks.mjs";
import { columnsAlone } from "./columns-alone.mjs";
import { freshProject } from "./fresh-project.mjs";
import { polybinAlone } from "./polybin-alone.mjs";
import { archiveOf, fitsHere, publishable } from "./workspace.mjs";

/** Packs this checkout into a project. Resolves to the archives' manifests, each with its file, or to null. */
export async function installedArchives(project) {
  const works = await check("a fresh project installs what npm run pack packs, and counts", () =>
    freshProject(project),
  );
  if (!works) return null;
  // A test may build the addon of another platform meanwhile, so only the project says what was packed.
  const all = filesOf(publishable(), project);
  for (const manifest of all.filter(({ archive }) => !existsSync(archive))) {
    const why = fitsHere(manifest) ? "the addon is not built here" : "for another platform";
    total.skipped.push({ name: `archive of ${manifest.name}`, reason: `${why}: ${manifest.main}` });
  }
  return all.filter(({ archive }) => existsSync(archive));
}

/** Installs the archives of a release into a project, all of them. Resolves as `installedArchives` does. */
export async function releasedArchives(project, archives) {
  const works = await check("a fresh project installs the archives, and counts", () =>
    freshProject(project, archives),
  );
  return works ? filesOf(publishable(), project) : null;
}

const filesOf = (manifests, project) =>
  manifests.map((manifest) => ({ ...manifest, archive: join(project, archiveOf(manifest)) }));

/**
 * Checks each archive: its contents, publint and, if it can be imported, attw; at night also `npm publish --dry-run`. Checks
 * what users of one package alone install.
 */
export const archiveChecks = (archives, { nightly = false } = {}) => [
  ["@polybin/columns alone reads a table, and says what a plot needs", () => columnsAlone(archives)],
  ["polybin alone is small and counts a table", () => polybinAlone(archives)],
  ...archives.flatMap(({ name, archive, exports, folder }) => [
    [`contents of ${name}`, () => contentProblems({ archive, folder })],
    ...(nightly ? [program(`npm would publish ${name}`, "npm", ["publish", archive, "--dry-run"])] : []),
    program(`publint ${name}`, "publint", [archive, "--strict"]),
    ...(exports ? [program(`attw ${name}`, "attw", [archive, "--profile", "esm-only"])] : []),
  ]),
];
