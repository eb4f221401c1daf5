const [BREAK, BLANK, COMMENT, COLON] = ["\n", " ", "#", ":"].map((of) => of.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];
const [ZERO, NINE] = ["0", "9"].map((of) => of.charCodeAt(0)) as [number, number];

/**
 * Counts the documents and the values of LIBSVM text without storing them: lines that are not empty, and colons after a
 * digit, outside comments. Stops above `most`.
 */
export async function countEntries(
  stream: AsyncIterable<Uint8Array>,
  most: number,
  signal: AbortSignal,
): Promise<number> {
  let entries = 0;
  let [isEmpty, isComment, before] = [true, false, BREAK];
  for await (const chunk of stream) {
    signal.throwIfAborted();
    for (const byte of chunk) {
      if (byte === BREAK) [isEmpty, isComment] = [true, false];
      else if (isComment) continue;
      else if (byte === COMMENT) isComment = true;
      else if (byte === COLON && before >= ZERO && before <= NINE) entries += 1;
      else if (isEmpty && byte > BLANK) {
        entries += 1;
        isEmpty = false;
      }
      before = byte;
    }
    if (entries > most) break;
  }
  return entries;
}
