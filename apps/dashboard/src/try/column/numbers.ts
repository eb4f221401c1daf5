const INTEGER = /^[+-]?\d+$/;
const NAN = /^nan$/i;
/** The most letters of a wrong word in a message. */
const MOST_LETTERS = 40;

/**
 * Reads numbers between spaces, commas, semicolons or line breaks. Null if anything else is among them and the text has
 * several lines, as a table has.
 * @throws if one line has another word, or an integer is not exact as a double.
 */
export function numbersIn(text: string): Float64Array | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  if (words.length === 0) throw new Error("expected numbers but the text is empty");
  const numbers = Float64Array.from(words, Number);
  const other = words.findIndex((word, i) => Number.isNaN(numbers[i]) && !NAN.test(word));
  if (other !== -1) {
    if (/[\r\n]/.test(text.trim())) return null;
    const word = JSON.stringify(words[other]!.slice(0, MOST_LETTERS));
    throw new Error(`expected numbers, or the lines of a table, but word ${other + 1} is ${word}`);
  }
  for (const [i, word] of words.entries())
    if (INTEGER.test(word)) checkExact(numbers[i]!, word, `value ${i + 1}`);
  return numbers;
}

/** @throws if a double may not be the integer that it was made of. */
export function checkExact(value: number, stated: string | bigint, where: string): void {
  if (!Number.isSafeInteger(value)) {
    throw new Error(`expected integers between -2^53 and 2^53 but ${where} is ${stated}`);
  }
}
