/** What clients may take of the server's time and memory. Tests set less. */
export interface Limits {
  /** Milliseconds until all headers are there. */
  readonly headersMs: number;
  /** Milliseconds that a sender may say nothing in the middle of a body. */
  readonly silenceMs: number;
  /** Milliseconds until all of a body is there, however steadily it drips. */
  readonly bodyMs: number;
  /** Bytes of pictures in memory: at work, waiting and on their way. */
  readonly heldBytes: number;
}

/** Two of the largest pictures, or many small ones. */
export const LIMITS: Limits = {
  headersMs: 10_000,
  silenceMs: 10_000,
  bodyMs: 60_000,
  heldBytes: 2 ** 28,
};
