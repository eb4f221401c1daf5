import type { PapersFile } from "./papers.ts";
import type { FileEntry, Profile, Row, RowsFile } from "./types.ts";

/** Fetches a file of the site. @throws an error that names the file and the reason. */
async function fetched(path: string): Promise<Response> {
  const response = await fetch(path).catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  if (!response.ok) throw new Error(`${path} cannot be read: ${response.status} ${response.statusText}`);
  return response;
}

const files = new Map<string, Promise<unknown>>();

/** Fetches a JSON file of the site once. A failed fetch is tried again the next time. */
function json<T>(path: string): Promise<T> {
  let file = files.get(path);
  if (file === undefined) {
    file = fetched(path).then((response) => response.json());
    file.catch(() => files.delete(path));
    files.set(path, file);
  }
  return file as Promise<T>;
}

/** All result files of the site. */
export const index = (): Promise<{ readonly files: readonly FileEntry[] }> => json("data/index.json");

/** Reads the rows of several files, in the order of the files. */
export async function rowsOf(of: readonly FileEntry[]): Promise<Row[]> {
  const withRows = of.filter(({ kind }) => kind === "rows");
  const loaded = await Promise.all(withRows.map(({ path }) => json<RowsFile>(`data/${path}.rows.json`)));
  return loaded.flatMap(({ rows }, i) => rows.map((row, at): Row => ({ ...row, file: withRows[i]!, at })));
}

/** Reads the profiled kernels of a file. */
export const profileOf = ({ path }: FileEntry): Promise<Profile> => json(`data/${path}.profile.json`);

/** Reads a whole result file, with the raw runs of each row. */
export const whole = ({ path }: FileEntry): Promise<WholeFile> => json(`data/${path}.json`);

export interface WholeFile {
  readonly rows: readonly { readonly ms: readonly number[]; readonly callMs?: readonly number[] }[];
  readonly spreads?: readonly unknown[];
  readonly notes?: unknown;
}

export const papersOf = ({ path }: FileEntry): Promise<PapersFile> => json(`data/${path}.json`);
