/** Milliseconds that a thread may decode before it lets its events run. */
const BREATH_MS = 50;

let last = 0;

/**
 * Lets signals, timers and messages run, if the thread has decoded for a while since they last did. Decoders call it
 * between columns, so that an abort takes effect while the calling thread decodes.
 */
export async function breath(): Promise<void> {
  const now = performance.now();
  if (now - last < BREATH_MS) return;
  await new Promise<void>((resolve) => setTimeout(resolve, 0));
  last = performance.now();
}
