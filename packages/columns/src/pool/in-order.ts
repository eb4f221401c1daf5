import { orAborted } from "../source/index.ts";

/** How many results and running tasks may exist at once: a number, and a sum of bytes that only the last one exceeds. */
export interface Ahead<T> {
  readonly tasks: number;
  readonly bytes: number;
  readonly bytesOf: (task: T) => number;
}

/**
 * Runs tasks side by side and yields their results in order. At most `ahead` results and running tasks exist at once.
 * If the caller stops, a task fails, or the signal aborts, nothing more starts.
 */
export async function* inOrder<T, R>(
  tasks: AsyncIterable<T> | Iterable<T>,
  run: (task: T) => Promise<R>,
  ahead: number | Ahead<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<R> {
  const iterator = Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]();
  const { tasks: most, bytes: mostBytes, bytesOf } = typeof ahead === "number" ? byNumber(ahead) : ahead;
  const running: { readonly result: Promise<R>; readonly bytes: number }[] = [];
  let used = 0;
  let isDone = false;
  /** An error of the tasks themselves, which comes after the results of those before it. */
  let failure: { readonly error: unknown } | null = null;
  try {
    for (;;) {
      while (!isDone && running.length < most && used < mostBytes) {
        const next = await nextOf(iterator);
        if ("error" in next) failure = next;
        if ("error" in next || next.done) {
          isDone = true;
          break;
        }
        const { value } = next;
        const result = run(value);
        // It is awaited in its turn. Until then, its failure must not count as unhandled.
        result.catch(() => {});
        const bytes = bytesOf(value);
        running.push({ result, bytes });
        used += bytes;
      }
      const first = running.shift();
      if (first === undefined) {
        if (failure !== null) throw failure.error;
        return;
      }
      yield await orAborted(first.result, signal);
      used -= first.bytes;
    }
  } finally {
    if (!isDone) await iterator.return?.();
  }
}

async function nextOf<T>(
  iterator: AsyncIterator<T> | Iterator<T>,
): Promise<IteratorResult<T> | { readonly error: unknown }> {
  try {
    return await iterator.next();
  } catch (error) {
    return { error };
  }
}

const byNumber = (tasks: number): Ahead<unknown> => ({
  tasks,
  bytes: Number.POSITIVE_INFINITY,
  bytesOf: () => 0,
});
