/**
 * Writes to stdout and waits until it is accepted, so that a slow reader loses nothing. If stdout accepts no more, its
 * listener in main.ts ends the process.
 */
export function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

/** Characters per write. All parts together may exceed the longest string. */
const PIECE = 1 << 20;

/** Writes a long text part by part. */
export async function writeParts(parts: Iterable<string>): Promise<void> {
  let piece = "";
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE) continue;
    await write(piece);
    piece = "";
  }
  await write(piece);
}
