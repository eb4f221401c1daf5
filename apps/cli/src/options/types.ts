import { PolybinError } from "@polybin/core";

/**
 * Reads the types of columns: NAME=TYPE once or several times. The reader checks the types, which are its own.
 * @throws ERR_INPUT
 */
export function parseTypes(text: string): Readonly<Record<string, string>> {
  // A map, since a column may be named __proto__.
  const types = new Map<string, string>();
  for (const part of text.split(",")) {
    const equals = part.lastIndexOf("=");
    const name = part.slice(0, equals).trim();
    if (equals < 1 || name === "" || types.has(name)) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected NAME=TYPE for each column once for --types but received ${JSON.stringify(text)}`,
      );
    }
    types.set(name, part.slice(equals + 1).trim());
  }
  return Object.fromEntries(types);
}
