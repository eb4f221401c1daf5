/** What may be asked of the suites that need no GPU. */
export interface HostOptions {
  /** Tiny data and few calls: that it runs, and no figures. */
  readonly quick: boolean;
  /** Is there time for another cell? Says so where there is none. */
  hasTime(what: string): boolean;
}
