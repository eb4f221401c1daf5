/** Numbers as people read them. */
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const DIGITS = 6;
const MOST_DIGITS = 17;
/** Digits behind those that all numbers of a kind have in common. */
const EXTRA = 3;

/** 1234567 -> 1,234,567 */
export const whole = (value: number | bigint): string => WHOLE.format(value);

/** 1234567 -> 1.2M */
export const short = (value: number): string => SHORT.format(value);

/** Digits of a number that show how it differs from others at this distance. Six at least, 17 at most. */
export function digitsFor(value: number, spread: number): number {
  const places = Math.ceil(Math.log10(Math.abs(value) / spread));
  return Number.isFinite(places) ? Math.min(Math.max(DIGITS, places + EXTRA), MOST_DIGITS) : DIGITS;
}

/**
 * A measured or computed number with at most six digits.
 * @param spread the distance to others of its kind, which may need more digits
 */
export function rounded(value: number, spread: number = Infinity): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value < 0 ? "−∞" : "∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const digits = digitsFor(value, spread);
  if (Number.isInteger(value) && (size < 1e15 || size < 10 ** digits)) return minus(whole(BigInt(value)));
  if (size >= 1e15 || size < 1e-4) {
    const [front, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
    return `${minus(String(Number(front)))}e${Number(exponent)}`;
  }
  return minus(Number(value.toPrecision(digits)).toLocaleString("en-US", { maximumFractionDigits: 20 }));
}

/** The digits of an f32 that tell it from its neighbours. */
const F32_DIGITS = 9;

/** A number with all digits that tell it from its neighbours. */
export function exact(value: number, isF32: boolean): string {
  const size = Math.abs(value);
  if (Number.isNaN(value) || size === Infinity || (Number.isInteger(value) && size < 1e15))
    return rounded(value);
  let shortest = value;
  for (let digits = 1; isF32 && digits <= F32_DIGITS; digits++) {
    shortest = Number(value.toPrecision(digits));
    if (Math.fround(shortest) === value) break;
  }
  if (size < 1e-4 || size >= 1e15) return minus(shortest.toString().replace("e+", "e"));
  return minus(shortest.toLocaleString("en-US", { maximumFractionDigits: 20 }));
}

/** A hyphen before a number is narrow, and lines break behind it. */
export const minus = (text: string): string => text.replace(/^-/, "−");

/** A number with this many decimals. What rounds to zero has no minus. */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : minus(text);
}

/** A share of a whole. Only all of it is 100%, and only nothing is 0%. */
export function percent(part: number, all: number): string {
  if (all === 0 || part === 0) return "0%";
  if (part >= all) return "100%";
  const share = (100 * part) / all;
  if (share < 0.1) return "<0.1%";
  if (share > 99.9) return ">99.9%";
  return `${share < 10 ? share.toFixed(1).replace(/\.0$/, "") : share < 99 ? share.toFixed(0) : share.toFixed(1)}%`;
}

const BYTES = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/** Bytes in powers of 1,000. */
export function bytes(count: number): string {
  let [value, unit] = [count, 0];
  while (value >= 1000 && unit < BYTES.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? whole(value) : Number(value.toPrecision(3))} ${BYTES[unit]}`;
}

/** Milliseconds as a duration. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 0.9995) return `${Number(ms.toPrecision(3))} ms`;
  if (seconds < 90) return `${Number(seconds.toPrecision(3))} s`;
  if (seconds < 5400) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 172_800) return `${Number((seconds / 3600).toPrecision(3))} h`;
  return `${Number((seconds / 86_400).toPrecision(4)).toLocaleString("en-US")} days`;
}

/** A count with its noun. */
export const plural = (count: number, noun: string): string =>
  `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;
