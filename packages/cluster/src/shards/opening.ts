/** How files are opened, wherever a task runs. */
export interface Opening {
  /** Folders, schemes and addresses that may be opened. Default: everything. */
  readonly allow?: readonly string[] | undefined;
  /** Headers of requests over `http:` and `https:`. They are this process's own, and never part of a task. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Configuration of the client of `s3:`. It is this process's own, too. */
  readonly s3?: Readonly<Record<string, unknown>> | undefined;
  /** Repetitions of a request that failed. Default: that of `openTable`. */
  readonly retries?: number | undefined;
  /** Threads that decode. Default: those of `openTable`. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The names of `Opening`. */
export const OPENING_NAMES: readonly (keyof Opening)[] = [
  "allow",
  "headers",
  "s3",
  "retries",
  "threads",
  "signal",
];

/** The options of a source, without those that are not given. */
export function sourceOptions({ allow, headers, s3, retries, signal }: Opening): Omit<Opening, "threads"> {
  const given = Object.entries({ allow, headers, s3, retries, signal }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given);
}
