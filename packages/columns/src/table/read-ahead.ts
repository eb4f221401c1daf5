/** Asks for the next item before the last one is used, so that reading a file overlaps what is done with its bytes. */
export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  const iterator = items[Symbol.asyncIterator]();
  const ask = (): Promise<IteratorResult<T>> => {
    const next = iterator.next();
    // It is awaited in its turn. Until then, its failure must not count as unhandled.
    next.catch(() => {});
    return next;
  };
  let hasEnded = false;
  try {
    let next = ask();
    for (;;) {
      const { done, value } = await next;
      hasEnded = done === true;
      if (done) return;
      next = ask();
      yield value;
    }
  } finally {
    // A caller that stops does not wait for a read that nobody needs.
    if (!hasEnded) iterator.return?.().catch(() => {});
  }
}
