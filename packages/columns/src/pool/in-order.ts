import { orAborted } from "../source/index.ts";

/**
 * Runs tasks side by side and yields their results in order. At most `ahead` results and running tasks exist at once.
 * If the caller stops, a task fails, or the signal aborts,
 * nothing more starts.
 */
export async function* inOrder<T, R>(
  tasks: AsyncIterable<T> | Iterable<T>,
  run: (task: T) => Promise<R>,
  ahead: number,
  signal: AbortSignal | undefined,
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
      yield await orAborted(first, signal);
    }
  } finally {
    if (!isDone) await iterator.return?.();
  }
}
