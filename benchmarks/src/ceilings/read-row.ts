/** One way to read device memory without counting. */
export interface ReadRow {
  /** The kind of loads, and the number of them that a thread has in flight. */
  readonly variant: string;
  readonly blocks: number;
  /** Milliseconds of each round on the device. */
  readonly ms: readonly number[];
}
