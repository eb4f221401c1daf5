import { inputName } from "../base/index.ts";

/** The sentence about an input without values. */
export function emptyLine(name: string): string {
  return `${inputName(name)} is empty: there are no values to count`;
}
