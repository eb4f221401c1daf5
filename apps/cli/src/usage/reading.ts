import type { Command } from "commander";
import { choice } from "./option.ts";

/** The formats of tables. `openTable` knows them, and a test compares them. */
export const TABLE_FORMATS: readonly string[] = ["arrow", "csv", "jsonl", "npy", "npz", "parquet"];
/** The encodings of texts, which a test compares, too. */
export const ENCODINGS: readonly string[] = ["utf-8", "latin1"];

/** Adds the options of the readers of tables, which every command over tables has. */
export function readingOptions(command: Command): Command {
  return command
    .optionsGroup("Tables:")
    .addOption(
      choice(
        "--format <NAME>",
        `the format of a table: ${TABLE_FORMATS.join(", ")} (default: the one that its first bytes or its name show)`,
        TABLE_FORMATS,
      ),
    )
    .option(
      "--types <NAME=TYPE,...>",
      "types of columns of CSV and JSON Lines, such as id=string,price=f64 (default: those that the first rows show)",
    )
    .option(
      "--separator <CHAR>",
      "character between the fields of CSV, or tab (default: a tab for .tsv and .tab, else the one that fits)",
    )
    .option("--quote <CHAR>", 'character around fields of CSV, doubled inside them, or none (default: ")')
    .addOption(
      choice(
        "--header <yes|no|A,B,...>",
        "whether the first record of CSV has names, or the names (default: yes, unless a field of it is a number or a time)",
        ["yes", "no"],
      ),
    )
    .option(
      "--nulls <A,B,...>",
      "texts that are nulls in every column of CSV, such as -,NA (default: empty fields, and outside strings also NA, N/A, " +
        "null, NULL and \\N)",
    )
    .addOption(
      choice(
        "--encoding <NAME>",
        `encoding of CSV: ${ENCODINGS.join(", ")}, which is that of Windows (default: ${ENCODINGS[0]})`,
        ENCODINGS,
      ),
    )
    .option("--quoted-newlines", "fields of CSV have line breaks: shards and parts must not cut the file")
    .option(
      "--array <NAME>",
      "the array of an NPZ archive (default: all, which must have one number of rows)",
    )
    .option("--flatten", "an array of NPY and NPZ with two dimensions is one column");
}
