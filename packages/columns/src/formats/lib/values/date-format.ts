import { expected } from "@polybin/core/backend";
import { civilDays, type Instant, SECONDS_PER_DAY } from "./times.ts";

/** The form of dates in a text, such as %d.%m.%Y. */
export interface DateFormat {
  /** Whether it has a time of day. */
  readonly hasTime: boolean;
  /** Reads a text into `into`. Returns false, with `into` undefined, if the text is something else. */
  read(text: string, into: Instant): boolean;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const LONG = "january february march april may june july august september october november december".split(
  " ",
);

/** The texts of a directive, which is a letter behind %. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  Y: "\\d{4}",
  y: "\\d{2}",
  m: "\\d{1,2}",
  d: "\\d{1,2}",
  b: MONTHS.join("|"),
  B: LONG.join("|"),
  H: "\\d{1,2}",
  I: "\\d{1,2}",
  p: "am|pm",
  M: "\\d{1,2}",
  S: "\\d{1,2}",
  f: "\\d{1,9}",
};

/** Years of two digits from this one on are of the last century. */
const LAST_CENTURY = 69;

/**
 * Reads a format of dates with the directives of strptime.
 * @throws ERR_INPUT for others, and unless it has a year, a month and a day
 */
export function dateFormatOf(format: unknown): DateFormat {
  const names = Object.keys(DIRECTIVES).map((letter) => `%${letter}`);
  const what = `a year, a month and a day by ${names.join(", ")}, such as %d.%m.%Y,`;
  if (typeof format !== "string") throw expected("ERR_INPUT", "dateFormat", what, format);
  const letters: string[] = [];
  const pattern = format.replaceAll(/%(.?)|[^%]/gsu, (part, letter?: string) => {
    if (letter === undefined) return part.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
    if (letter === "%") return "%";
    if (!Object.hasOwn(DIRECTIVES, letter) || letters.includes(letter))
      throw expected("ERR_INPUT", "dateFormat", what, format);
    letters.push(letter);
    return `(${DIRECTIVES[letter]})`;
  });
  const has = (...some: string[]): boolean => some.some((letter) => letters.includes(letter));
  if (!has("Y", "y") || !has("m", "b", "B") || !has("d"))
    throw expected("ERR_INPUT", "dateFormat", what, format);
  const expression = new RegExp(`^${pattern}$`, "i");
  return {
    hasTime: has("H", "I", "M", "S", "f", "p"),
    read(text, into) {
      const found = expression.exec(text);
      if (found === null) return false;
      return readParts(new Map(letters.map((letter, i) => [letter, found[i + 1]!.toLowerCase()])), into);
    },
  };
}

function readParts(parts: ReadonlyMap<string, string>, into: Instant): boolean {
  const number = (letter: string, otherwise = 0): number => Number(parts.get(letter) ?? otherwise);
  const days = civilDays(yearOf(parts), monthOf(parts), number("d"));
  const hour = parts.has("I") ? (number("I") % 12) + (parts.get("p") === "pm" ? 12 : 0) : number("H");
  const [minute, second] = [number("M"), number("S")];
  const isHour = !parts.has("I") || (number("I") >= 1 && number("I") <= 12);
  if (days === null || !isHour || hour > 23 || minute > 59 || second > 59) return false;
  const fraction = (parts.get("f") ?? "").replace(/0+$/, "");
  into.seconds = days * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
  into.nanoseconds = Number(fraction.padEnd(9, "0"));
  into.digits = fraction.length;
  into.hasOffset = false;
  return true;
}

function yearOf(parts: ReadonlyMap<string, string>): number {
  const short = parts.get("y");
  if (short === undefined) return Number(parts.get("Y"));
  return Number(short) + (Number(short) >= LAST_CENTURY ? 1900 : 2000);
}

function monthOf(parts: ReadonlyMap<string, string>): number {
  const number = parts.get("m");
  if (number !== undefined) return Number(number);
  const [short, long] = [parts.get("b"), parts.get("B")];
  return 1 + (short === undefined ? LONG.indexOf(long!) : MONTHS.indexOf(short));
}
