import { standsForMany } from "@polybin/columns/detect";

/** Replaces folders, prefixes of S3 and patterns by their tables, and leaves all other places as they are. */
export async function placesOf(given: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const all: string[] = [];
  for (const place of given) {
    if (!(await standsForMany(place))) all.push(place);
    else {
      const { findTables } = await import("@polybin/columns");
      all.push(...(await findTables(place, { signal })));
    }
  }
  return all;
}
