import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openSource } from "@polybin/columns";

/** The state of a file: equal states have equal bytes, as far as can be known without reading them. */
export interface FileState {
  readonly size: number | null;
  /** The time of the last change of a local file, in nanoseconds. Null for other places. */
  readonly version: string | null;
}

/** Finds out the state of a place. Null for a stream. */
export async function stateOf(location: string, allow: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<FileState> {
  if (location === "-") return { size: null, version: null };
  await using source = await openSource(location, { allow, signal });
  const path = /^[a-z][a-z0-9+.-]+:/i.test(location) ? (location.toLowerCase().startsWith("file:") ? fileURLToPath(location) : null) : resolve(location);
  if (path === null) return { size: source.size, version: null };
  const { size, mtimeNs } = await stat(path, { bigint: true });
  return { size: Number(size), version: String(mtimeNs) };
}
