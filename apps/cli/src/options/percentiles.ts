import { PolybinError } from "@polybin/core";

/** A percentage as it was typed, exactly: `parts / whole` of 1. */
export interface Percent {
  readonly text: string;
  readonly parts: bigint;
  readonly whole: bigint;
}

const DECIMAL = /^(?=\.?\d)(\d{0,3})(?:\.(\d{1,15}))?$/;

/** Reads `50` or `1,50,99.9`. @throws ERR_INPUT */
export function parsePercents(text: string): Percent[] {
  return text.split(",").map((part) => {
    const [, integer, fraction = ""] = DECIMAL.exec(part.trim()) ?? [];
    const parts = integer === undefined ? null : BigInt(integer + fraction);
    const whole = 100n * 10n ** BigInt(fraction.length);
    if (parts !== null && parts <= whole) return { text: part.trim(), parts, whole };
    throw new PolybinError(
      "ERR_INPUT",
      `expected percentages from 0 to 100, such as 1,50,99.9, for --percentiles but received ${JSON.stringify(part)}`,
    );
  });
}
