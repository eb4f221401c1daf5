import type { FileEntry, PapersFile, Row, RowsFile } from "./types.ts";

/** A file of the site. @throws saying which one could not be had, and why. */
export async function fetched(path: string): Promise<Response> {
  const response = await fetch(path).catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  if (!response.ok) throw new Error(`${path} cannot be read: ${response.status} ${response.statusText}`);
  return response;
}

const files = new Map<string, Promise<unknown>>();

/** A JSON file of the site, fetched once. A failed fetch is tried again the next time. */
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

/** The rows of several files, one after the other. */
export async function rowsOf(of: readonly FileEntry[]): Promise<Row[]> {
  const withRows = of.filter(({ kind }) => kind === "rows");
  const loaded = await Promise.all(withRows.map(({ path }) => json<RowsFile>(`data/${path}.rows.json`)));
  return loaded.flatMap(({ rows }, i) => rows.map((row, at): Row => ({ ...row, file: withRows[i]!, at })));
}

/** A whole result file, with the raw runs of each row. */
export const whole = ({ path }: FileEntry): Promise<WholeFile> => json(`data/${path}.json`);

export interface WholeFile {
  readonly rows: readonly { readonly ms: readonly number[]; readonly callMs?: readonly number[] }[];
  readonly spreads?: readonly unknown[];
  readonly notes?: unknown;
}

export const papersOf = ({ path }: FileEntry): Promise<PapersFile> => json(`data/${path}.json`);
