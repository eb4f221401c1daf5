import { Option } from "commander";

/**
 * An option whose values shells complete. Commander does not check them: the command's own errors have a code and say
 * more.
 */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...values];
  return option;
}

/** Adds a value to those of an option that is given several times. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A note for every counting command. */
export const EXIT_CODES =
  "Exit code: 0 on success, 2 for wrong use or wrong input, 1 for any other failure, 130 after Ctrl+C.";
