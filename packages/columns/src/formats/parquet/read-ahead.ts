/** Asks for the next item before the last one is used, so that reading a file overlaps what is done with its bytes. */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // It is awaited in its turn. Until then, its failure must not count as unhandled.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // A caller that stops does not wait for a read that nobody needs.
    items.return(undefined).catch(() => {});
  }
}
