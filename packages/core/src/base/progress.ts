/** The options of a call that work while it runs. */
export interface CallControl<P> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: P) => void) | undefined;
}

/**
 * Runs work with an `onProgress` that cannot throw. If the caller's `onProgress` throws, or returns a promise that
 * rejects, it is not called again, the work's signal aborts, and the call rejects with that error. The work does not
 * wait for such a promise: a rejection after the work has ended is ignored.
 */
export async function guarded<P, T>(
  { signal, onProgress }: CallControl<P>,
  work: (talk: CallControl<P>) => Promise<T>,
): Promise<T> {
  if (onProgress === undefined) return work({ signal });
  const thrown = new AbortController();
  const tell = (progress: P): void => {
    if (thrown.signal.aborted) return;
    try {
      const told: unknown = onProgress(progress);
      Promise.resolve(told).catch((error) => thrown.abort(error));
    } catch (error) {
      thrown.abort(error);
    }
  };
  const either = signal === undefined ? thrown.signal : AbortSignal.any([signal, thrown.signal]);
  const result = await work({ signal: either, onProgress: tell });
  thrown.signal.throwIfAborted();
  return result;
}
