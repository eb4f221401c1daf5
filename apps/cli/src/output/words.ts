/** Numbers as people read them. */

/** Made when it is first used: that takes a tenth of a command that prints no such number. */
let english: Intl.NumberFormat | null = null;

/** 1234567 -> 1,234,567 */
export function whole(value: number): string {
  english ??= new Intl.NumberFormat("en-US");
  return english.format(value);
}

/** An edge in as many digits as it needs, six at most. */
export function edge(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(6)));
}

/** Milliseconds with three significant digits. */
export function milliseconds(ms: number): string {
  return `${ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3)} ms`;
}

/** Bytes a second. */
export function throughput(bytes: number, ms: number): string {
  const gbps = bytes / ms / 1e6;
  if (gbps < 0.1) return `${(gbps * 1e3).toPrecision(3)} MB/s`;
  return `${gbps >= 100 ? gbps.toFixed(0) : gbps.toPrecision(3)} GB/s`;
}

export function plural(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Control characters, what changes the direction of text or is not seen, line separators, and what XML cannot hold. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/**
 * Text from outside on one line, so that it cannot give orders to a terminal: what is not to be printed is written as JSON
 * does, \u001b. JSON text stays the same JSON.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (of) => Array.from({ length: of.length }, (_, i) => unit(of, i)).join(""));
}

function unit(of: string, i: number): string {
  return `\\u${of.charCodeAt(i).toString(16).padStart(4, "0")}`;
}
