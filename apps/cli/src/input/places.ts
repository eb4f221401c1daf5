import { stat } from "node:fs/promises";

const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
/** Characters of patterns. A file whose name has them is itself. */
const PATTERN = /[*?[{]/;

/** Replaces folders, prefixes of S3 and patterns by their tables, and leaves all other places as they are. */
export async function placesOf(given: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const all: string[] = [];
  for (const place of given) {
    if (!(await isMany(place))) all.push(place);
    else {
      const { findTables } = await import("@polybin/columns");
      all.push(...(await findTables(place, { signal })));
    }
  }
  return all;
}

async function isMany(place: string): Promise<boolean> {
  if (SCHEME.test(place)) return /^s3:/i.test(place) && (PATTERN.test(place) || place.endsWith("/"));
  if (place === "-" || place === "") return false;
  const stats = await stat(place).catch(() => null);
  return stats === null ? PATTERN.test(place) : stats.isDirectory();
}
