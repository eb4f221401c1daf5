import { isFloat, TypeGuess } from "../lib/values/index.ts";
import { isAnyNull } from "./nulls.ts";

/** A year, as tables name columns by it. */
const YEAR = /^(?:1[5-9]|2[01])\d\d$/;

/**
 * Whether the first record of a file has names. None of them is a number, a boolean or a point in time, and one is not
 * empty. Years may be names next to others if the records below show that they are no values.
 */
export function isHeader(
  first: readonly string[],
  below: () => Iterable<readonly string[]>,
  nulls: readonly string[] | null,
): boolean {
  const years = first.filter((field) => YEAR.test(field));
  const others = first.filter((field) => !YEAR.test(field));
  if (!others.every((field) => field === "" || isName(field))) return false;
  if (years.length === 0) return others.some((field) => field !== "");
  if (others.length === 0 || new Set(years).size < years.length) return false;
  const records = [...below()];
  const columns = first.map((name, i) => {
    return {
      name,
      values: records.flatMap((record) => record[i] ?? []).filter((text) => !isAnyNull(text, nulls)),
    };
  });
  return (
    columns.some(({ name, values }) => isName(name) && areNumbers(values)) ||
    columns.every(({ name, values }) => !YEAR.test(name) || areNoYears(values))
  );
}

/** Whether a text is no number, boolean or point in time. */
function isName(text: string): boolean {
  // 007 is a text, but a value and no name.
  if (text === "" || isFloat(text)) return false;
  return typeOf([text]) === "string";
}

/** A name that stands over numbers is none of them. */
const areNumbers = (values: readonly string[]): boolean => values.length > 0 && typeOf(values) === "number";

/** Whether most values are no years, so that a year above them is no value. */
function areNoYears(values: readonly string[]): boolean {
  return values.length > 0 && values.filter((text) => YEAR.test(text)).length * 2 < values.length;
}

function typeOf(values: readonly string[]): string {
  const guess = new TypeGuess();
  for (const text of values) guess.see(text);
  return guess.type(undefined).kind;
}
