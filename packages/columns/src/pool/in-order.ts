/**
 * Runs tasks side by side and yields their results in order. At most `ahead` results and running tasks exist at once.
 * If the caller stops, or a task fails, nothing more starts.
 */
export async function* inOrder<T, R>(
  tasks: AsyncIterable<T> | Iterable<T>,
  run: (task: T) => Promise<R>,
  ahead: number,
): AsyncGenerator<R> {
  const iterator = Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]();
  const running: Promise<R>[] = [];
  let isDone = false;
  try {
    for (;;) {
      while (!isDone && running.length < ahead) {
        const { done, value } = await iterator.next();
        if (done) {
          isDone = true;
          break;
        }
        const result = run(value);
        // It is awaited in its turn. Until then, its failure must not count as unhandled.
        result.catch(() => {});
        running.push(result);
      }
      const first = running.shift();
      if (first === undefined) return;
      yield await first;
    }
  } finally {
    if (!isDone) await iterator.return?.();
  }
}
