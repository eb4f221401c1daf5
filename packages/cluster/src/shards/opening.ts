/** How files are opened, wherever a task runs. */
export interface Opening {
  /** Folders, schemes and addresses that may be opened. Default: everything. */
  readonly allow?: readonly string[] | undefined;
  /** Threads that decode. Default: those of `openTable`. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
