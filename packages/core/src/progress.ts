/** The part of a call's options by which it and its caller talk while it runs. */
export interface Talk<P> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: P) => void) | undefined;
}

/**
 * Does work whose `onProgress` cannot throw, wherever it is called from: when the caller's throws, it is not
 * called again, the work's signal aborts, and the call rejects with that very error.
 */
export async function guarded<P, T>(
  { signal, onProgress }: Talk<P>,
  work: (talk: Talk<P>) => Promise<T>,
): Promise<T> {
  if (onProgress === undefined) return work({ signal });
  const thrown = new AbortController();
  const tell = (progress: P): void => {
    if (thrown.signal.aborted) return;
    try {
      onProgress(progress);
    } catch (error) {
      thrown.abort(error);
    }
  };
  const either = signal === undefined ? thrown.signal : AbortSignal.any([signal, thrown.signal]);
  const result = await work({ signal: either, onProgress: tell });
  thrown.signal.throwIfAborted();
  return result;
}
