/**
 * Asks one question at a time and passes on each answer. While an answer is under way, only the newest question waits: a brush
 * moves faster than a column can be counted, and nobody needs the answers in between.
 */
export class Latest<Q, A> {
  readonly #ask: (question: Q) => Promise<A>;
  readonly #onAnswer: (answer: A) => void;
  #busy = false;
  #waiting: { readonly question: Q } | null = null;

  constructor(ask: (question: Q) => Promise<A>, onAnswer: (answer: A) => void) {
    this.#ask = ask;
    this.#onAnswer = onAnswer;
  }

  /**
   * Asks, now or after the answer that is under way. It replaces a question that waits.
   * @throws if the last question that was asked failed
   */
  async put(question: Q): Promise<void> {
    this.#waiting = { question };
    if (this.#busy) return;
    this.#busy = true;
    let failure: { readonly error: unknown } | null = null;
    while (this.#waiting !== null) {
      const { question } = this.#waiting;
      this.#waiting = null;
      try {
        this.#onAnswer(await this.#ask(question));
        failure = null;
      } catch (error) {
        failure = { error };
      }
    }
    this.#busy = false;
    if (failure !== null) throw failure.error;
  }
}
