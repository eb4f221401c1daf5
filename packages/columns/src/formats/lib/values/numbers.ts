const SPECIAL: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["+inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["+infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

/** The letters b, o and x in lower case, which start numbers of other bases: JavaScript reads them, a table does not. */
const LETTERS: ReadonlySet<number> = new Set([0x62, 0x6f, 0x78]);
const LOWER = 0x20;
const SPACE = 0x20;
const ASCII = 0x7f;

/**
 * Returns the double that is nearest to a decimal number, or undefined if the text is none. It also takes nan, inf and
 * infinity, in any case.
 */
export function floatOf(given: string): number | undefined {
  const first = given.charCodeAt(0);
  const text = first > SPACE && first <= ASCII ? given : given.trim();
  // Number reads empty text as 0, and the prefixes of other bases.
  if (text === "" || LETTERS.has(text.charCodeAt(1) | LOWER)) return undefined;
  const value = Number(text);
  return Number.isNaN(value) ? SPECIAL.get(text.trim().toLowerCase()) : value;
}

/** Whether `floatOf` reads the text. */
export const isFloat = (text: string): boolean => floatOf(text) !== undefined;

const ZERO = 0x30;
const MINUS = 0x2d;
const PLUS = 0x2b;
/** Digits of an integer that a double surely holds exactly. */
const SAFE_DIGITS = 15;

/**
 * Returns the integer of a text, or undefined if the text is no integer. An integer that is longer than 15 digits is a
 * bigint.
 */
export function integerOf(text: string): number | bigint | undefined {
  const { length } = text;
  const first = text.charCodeAt(0);
  let i = first === MINUS || first === PLUS ? 1 : 0;
  if (i === length) return undefined;
  if (length - i > SAFE_DIGITS) return longIntegerOf(text.trim());
  let value = 0;
  for (; i < length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) {
      const trimmed = text.trim();
      return trimmed.length < length ? integerOf(trimmed) : undefined;
    }
    value = value * 10 + digit;
  }
  return first === MINUS ? 0 - value : value;
}

/** The longest text that is converted. 2^64 has 20 digits; zeros may come before them. */
const LONGEST = 400;

function longIntegerOf(text: string): number | bigint | undefined {
  if (text.length > LONGEST || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.charCodeAt(0) === PLUS ? text.slice(1) : text);
  return value >= -BigInt(10 ** SAFE_DIGITS) && value <= BigInt(10 ** SAFE_DIGITS) ? Number(value) : value;
}
