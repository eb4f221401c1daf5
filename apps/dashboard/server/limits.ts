/** How much of the server's time and memory clients may take. Tests set lower limits. */
export interface Limits {
  /** Milliseconds in which all headers must arrive. */
  readonly headersMs: number;
  /** Milliseconds that a sender may pause within a body. */
  readonly silenceMs: number;
  /** Milliseconds in which a whole body must arrive, even if it never pauses. */
  readonly bodyMs: number;
  /** Bytes of pictures in memory: being counted, waiting and arriving. */
  readonly heldBytes: number;
}

/** Two of the largest pictures, or many small ones. */
export const LIMITS: Limits = {
  headersMs: 10_000,
  silenceMs: 10_000,
  bodyMs: 60_000,
  heldBytes: 2 ** 28,
};
