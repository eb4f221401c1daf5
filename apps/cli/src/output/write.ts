/**
 * Writes to stdout and waits until it is taken, so that a slow reader loses nothing. Where stdout takes no more,
 * its listener in main.ts ends the process.
 */
export function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
