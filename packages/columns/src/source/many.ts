import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SCHEME } from "./allow.ts";

/** Characters of patterns. A file whose name has them is itself. */
const PATTERN = /[*?[{]/;

/**
 * Whether a place stands for the files of a local folder, of a prefix of S3 or of a pattern. This takes none of the code
 * that lists them.
 */
export async function standsForMany(place: string): Promise<boolean> {
  const local = localPath(place);
  if (local === null) return /^s3:/i.test(place) && (PATTERN.test(place) || place.endsWith("/"));
  if (local === "-" || local === "") return false;
  const stats = await stat(local).catch(() => null);
  return stats === null ? local === place && PATTERN.test(local) : stats.isDirectory();
}

/** Returns the path of a place on this machine: a path, or a URL of `file:`. Null for another URL. */
export function localPath(place: string): string | null {
  const scheme = SCHEME.exec(place)?.[1]?.toLowerCase();
  if (scheme === undefined) return place;
  const url = scheme === "file" ? URL.parse(place) : null;
  return url === null ? null : pathOf(url);
}

/** Returns the path of a file: URL, or null if it names another machine or no path. */
export function pathOf(url: URL): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}
