import { openSource } from "@polybin/columns";
import { type Opening, sourceOptions } from "./opening.ts";

/** The state of a file. A file in an equal state has the same bytes, as far as that can be known without reading it. */
export interface FileState {
  /** Bytes, or null if they are unknown. */
  readonly size: number | null;
  /** The ETag, or the time of the last change. Null if neither is known. */
  readonly version: string | null;
}

/** Finds out the state of a place. Standard input has none. */
export async function stateOf(location: string, opening: Opening): Promise<FileState> {
  if (location === "-") return { size: null, version: null };
  await using source = await openSource(location, sourceOptions(opening));
  const { size, version } = source;
  return { size, version };
}
