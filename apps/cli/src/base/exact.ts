/** Integers beyond this size are no integers of 64 bits. */
const MOST = 2 ** 64;

/** JSON.rawJSON of Node 21 and newer, which older types lack. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/**
 * All digits of a number that is a large integer. Otherwise it would be printed with the fewest digits that identify its
 * double, which are those of another integer.
 */
export function digitsOf(value: number): string {
  return isLarge(value) ? BigInt(value).toString() : String(value);
}

/** A replacer for JSON.stringify that prints large integers with all digits. */
export function exactly(_name: string, value: unknown): unknown {
  return typeof value === "number" && isLarge(value) ? rawJSON(digitsOf(value)) : value;
}

function isLarge(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= MOST;
}
