/** Options of the suites that need no GPU. */
export interface HostOptions {
  /** Whether to use tiny data and few calls, which only shows that the suite runs. */
  readonly quick: boolean;
  /** Seconds after which no further cell begins. */
  readonly seconds: number;
  /** Names of the cases that are measured, for a suite that has some. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Whether time for another cell is left. Reports a missing cell if not. */
  hasTime(what: string): boolean;
}
