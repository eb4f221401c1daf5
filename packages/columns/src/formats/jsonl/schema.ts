import { isPolybinError } from "@polybin/core";
import type { ByteSource } from "../../source/index.ts";
import { type ColumnInfo, checkColumnCount, damaged } from "../../table/index.ts";
import { LINES, sampleOf } from "../lib/text/index.ts";
import type { Types } from "../lib/values/index.ts";
import { JsonGuess } from "./guess.ts";
import { linesOf, noObject, parseLine } from "./lines.ts";

/** The fields that the first lines of a file show. */
export interface Schema {
  readonly columns: readonly ColumnInfo[];
  readonly newline: number;
  readonly start: number;
}

/**
 * Finds names and types of fields in the first lines, in the order in which they appear.
 * @throws ERR_INPUT if a line is no JSON object, ERR_LIMIT for too many fields.
 */
export async function schemaOf(
  source: ByteSource,
  types: Types,
  signal: AbortSignal | undefined,
): Promise<Schema> {
  const { text, markBytes, newline } = await sampleOf(source, { marks: LINES, encoding: null }, signal);
  const guesses = new Map<string, JsonGuess>();
  for (const { line, index } of linesOf(text, String.fromCharCode(newline))) {
    try {
      const fields = Object.entries(parseLine(line));
      checkColumnCount(source.name, fields.length);
      for (const [name, value] of fields) {
        const guess = guesses.get(name) ?? new JsonGuess();
        guesses.set(name, guess);
        guess.see(value);
      }
    } catch (error) {
      if (isPolybinError(error)) throw error;
      throw damaged(source.name, `line ${index + 1}: ${noObject(line)}`, error);
    }
    checkColumnCount(source.name, guesses.size);
  }
  for (const name of types.keys()) if (!guesses.has(name)) guesses.set(name, new JsonGuess());
  checkColumnCount(source.name, guesses.size);
  const columns = [...guesses].map(([name, guess]) => ({
    name,
    type: guess.type(types.get(name)),
    nullable: true,
  }));
  return { columns, newline, start: markBytes };
}
