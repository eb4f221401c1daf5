import { readdir, stat } from "node:fs/promises";
import { join, posix, resolve } from "node:path";
import { type Allow, allowedPath } from "./allow.ts";

/** The files that a place stands for, and the form of the place. */
export interface Listed {
  readonly places: readonly string[];
  /** A file, which was not listed, or a folder, or a pattern. */
  readonly kind: "file" | "folder" | "pattern";
}

/** The part of picomatch that is needed. */
export interface Matcher {
  scan(pattern: string): { readonly base: string; readonly glob: string; readonly isGlob: boolean };
  match(pattern: string): (path: string) => boolean;
}

/**
 * Lists the files of a local folder, with those of its folders, or of a pattern such as `2024/**` + `/*.csv`, in the order of
 * their names. Hidden files and those whose name starts with _ are left out of a folder. Links to folders are not followed.
 * @throws ERR_INPUT if the folder lies outside `allow`
 */
export async function listFiles(path: string, allow: Allow | undefined, matcher: Matcher): Promise<Listed> {
  const stats = await stat(path).catch(() => null);
  if (stats !== null && !stats.isDirectory()) return { places: [path], kind: "file" };
  if (stats !== null) {
    await allowedPath(resolve(path), allow, path);
    return { places: await filesBelow(path, Number.POSITIVE_INFINITY, isShown), kind: "folder" };
  }
  const { base, glob, isGlob } = matcher.scan(path);
  if (!isGlob) return { places: [path], kind: "file" };
  const folder = base === "" ? "." : base;
  await allowedPath(resolve(folder), allow, path);
  const depth = glob.includes("**") ? Number.POSITIVE_INFINITY : glob.split("/").length;
  const isMatch = matcher.match(glob);
  const all = await filesBelow(folder, depth, () => true).catch(() => []);
  const start = base === "" ? 0 : join(base, "x").length - 1;
  const named = all.map((file) => (base === "" ? posix.normalize(file) : file));
  return { places: named.filter((file) => isMatch(file.slice(start))), kind: "pattern" };
}

/** Files below a folder that engines write next to tables, such as _SUCCESS. */
const isShown = (name: string): boolean => !/^[._]/.test(name);

async function filesBelow(
  folder: string,
  depth: number,
  isWanted: (name: string) => boolean,
): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!isWanted(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth > 1) found.push(...(await filesBelow(path, depth - 1, isWanted)));
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => null))?.isFile())) {
      found.push(path);
    }
  }
  return found;
}
