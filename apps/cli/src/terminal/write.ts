/**
 * Writes to stdout and waits until it is accepted, so that a slow reader loses nothing. If stdout accepts no more, its
 * listener in main.ts ends the process.
 */
export function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
