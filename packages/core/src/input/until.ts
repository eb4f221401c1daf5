/** Yields the same pieces until the signal aborts. It then throws at once, even if the source is still waiting. */
export async function* until<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const end = async () => void (await iterator.return?.());
  if (signal?.aborted) {
    end().catch(() => {});
    throw signal.reason;
  }
  // Each piece has its own promise. Racing all pieces against one abort promise would keep every piece alive.
  let giveUp: (reason: unknown) => void = () => {};
  const abort = () => giveUp(signal!.reason);
  signal?.addEventListener("abort", abort);
  let state: "waiting" | "open" | "ended" = "waiting";
  try {
    for (;;) {
      state = "waiting";
      const { done, value } = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      state = done ? "ended" : "open";
      if (done) return;
      yield value;
      signal?.throwIfAborted();
    }
  } finally {
    // A source that waits for its next piece may never close, so this does not wait for it, nor for any source after
    // an abort.
    if (state === "waiting") end().catch(() => {});
    else if (state === "open") {
      await new Promise<void>((resolve, reject) => {
        giveUp = () => resolve();
        end().then(resolve, reject);
        if (signal?.aborted) resolve();
      });
    }
    signal?.removeEventListener("abort", abort);
  }
}
