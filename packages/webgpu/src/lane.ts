/** A device's calls, one after the other: they share its buffers. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(call);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
