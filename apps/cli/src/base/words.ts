/** Numbers for people. */

/** A place between digits that groups of three follow. */
const BETWEEN_THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** 1234567 -> 1,234,567. Intl takes longer to start than a small table takes to count. */
export function whole(value: number): string {
  return String(value).replace(BETWEEN_THOUSANDS, ",");
}

/** From this number on, six digits do not reach the point. */
const MOST_SHORT = 1e6;
/** From this number on, numbers are written with an exponent. */
const MOST_PLAIN = 1e21;

/** An edge with at most six digits, but never fewer than a whole number or the part before the point has. */
export function edge(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < MOST_PLAIN) return BigInt(value).toString();
  if (size >= MOST_SHORT && size < MOST_PLAIN) return String(Math.round(value));
  return String(Number(value.toPrecision(6)));
}

/** Three significant digits, or all of a larger whole number. */
const short = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** @param ms milliseconds */
export function duration(ms: number): string {
  return ms >= 1000 ? `${short(ms / 1000)} s` : `${short(ms)} ms`;
}

/** Bytes per second. */
export function throughput(bytes: number, ms: number): string {
  const gbps = bytes / ms / 1e6;
  return gbps < 0.1 ? `${(gbps * 1e3).toPrecision(3)} MB/s` : `${short(gbps)} GB/s`;
}

export function plural(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Control characters, invisible ones, those that change the direction of text, line separators, and those not in XML. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/**
 * Text from outside on one line that cannot control a terminal. Unprintable characters are escaped as in JSON, such as
 * \u001b. JSON text keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (of) => Array.from({ length: of.length }, (_, i) => unit(of, i)).join(""));
}

/** The name of a column as people read it. It may be empty. */
export function columnName(name: string): string {
  return name === "" ? '""' : printable(name);
}

/** The name of an input as people read it. @param name `-` for standard input */
export function inputName(name: string): string {
  return name === "-" ? "standard input" : printable(name);
}

/** The name of the first of several files, and how many follow it. */
export function inputsName(name: string, files = 1): string {
  return files === 1 ? inputName(name) : `${inputName(name)} and ${plural(files - 1, "more file")}`;
}

function unit(of: string, i: number): string {
  return `\\u${of.charCodeAt(i).toString(16).padStart(4, "0")}`;
}
