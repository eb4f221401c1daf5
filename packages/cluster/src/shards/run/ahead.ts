/**
 * Asks for the next item while the caller works on the last one, so that reading and counting overlap. At most two items
 * exist at a time.
 */
export async function* ahead<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  const iterator = items[Symbol.asyncIterator]();
  let ended = false;
  const next = (): Promise<IteratorResult<T>> => {
    const found = iterator.next();
    // The error is thrown when the item is needed.
    found.catch(() => {});
    return found;
  };
  try {
    let coming = next();
    for (;;) {
      const { done, value } = await coming;
      if (done === true) {
        ended = true;
        return;
      }
      coming = next();
      yield value;
    }
  } finally {
    if (!ended) await iterator.return?.();
  }
}
