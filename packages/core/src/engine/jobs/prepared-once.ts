/** Returns what prepares a job once, on first use. A device that fails is asked again by the next call. */
export function preparedOnce<P extends object>(prepare: () => P | Promise<P>): () => P | Promise<P> {
  let prepared: P | Promise<P> | undefined;
  return () => {
    if (prepared !== undefined) return prepared;
    prepared = prepare();
    if (prepared instanceof Promise) {
      prepared.catch(() => {
        prepared = undefined;
      });
    }
    return prepared;
  };
}
