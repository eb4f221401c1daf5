import { type DateFormat, dateFormatOf } from "./date-format.ts";
import { daysOf, type Instant, readInstant, SECONDS_PER_DAY } from "./times.ts";

/** The forms of numbers and times in a text. Plain data, since threads receive it. */
export interface TextForms {
  /** The character before the fraction of a number. */
  readonly decimal: string;
  /** The format of dates, or of times if it has a time of day. Null: ISO 8601. */
  readonly dateFormat: string | null;
}

/** The forms of most texts. */
export const FORMS: TextForms = { decimal: ".", dateFormat: null };

/** Returns a number with a point before its fraction. With another character, a point has no meaning. */
export function pointed(text: string, decimal: string): string {
  if (decimal === ".") return text;
  return text.includes(".") ? "" : text.replace(decimal, ".");
}

/** Returns the days from 1970-01-01 to a date, or null if the text is none. */
export function daysIn(text: string, { dateFormat }: TextForms): number | null {
  const format = formatOf(dateFormat);
  if (format === null || format.hasTime) return daysOf(text);
  return format.read(text, instant) ? instant.seconds / SECONDS_PER_DAY : null;
}

/** Reads a date and time into `into`. Returns false, with `into` undefined, if the text is none. */
export function instantIn(text: string, { dateFormat }: TextForms, into: Instant): boolean {
  const format = formatOf(dateFormat);
  return format?.hasTime ? format.read(text, into) : readInstant(text, into);
}

const instant: Instant = { seconds: 0, nanoseconds: 0, digits: 0, hasOffset: false };
/** The last format that was read. A table has one. */
let last: { readonly text: string; readonly format: DateFormat } | null = null;

function formatOf(text: string | null): DateFormat | null {
  if (text === null) return null;
  if (last?.text !== text) last = { text, format: dateFormatOf(text) };
  return last.format;
}
