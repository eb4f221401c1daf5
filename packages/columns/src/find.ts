import { PolybinError } from "@polybin/core";
import { checkNames, loadedOnce } from "@polybin/core/backend";
import { formats } from "./formats/index.ts";
import { listPlaces, type SourceOptions, standsForMany, unpackedName } from "./source/index.ts";

const matching = loadedOnce(() => import("picomatch"));

/** Options of `findTables`: those of the places. */
export type FindTablesOptions = Pick<SourceOptions, "allow" | "s3" | "signal">;

const NAMES: readonly (keyof FindTablesOptions)[] = ["allow", "s3", "signal"];

/**
 * Lists the tables of a local folder (`data/`), a prefix (`s3://bucket/data/`) or a pattern (`data/2024-*.csv`,
 * `s3://bucket/**` + `/*.parquet`), in the order of their names. Any other place is listed as it is. A folder and a prefix
 * have the files whose endings are those of tables.
 * @throws ERR_INPUT if there is none, or the place lies outside `allow`.
 */
export async function findTables(place: string, options: FindTablesOptions = {}): Promise<string[]> {
  checkNames(options, NAMES);
  if (!(await standsForMany(place))) return [place];
  const { default: picomatch } = await matching();
  const matcher = { scan: picomatch.scan, match: (pattern: string) => picomatch(pattern) };
  const { places, kind } = await listPlaces(place, options, matcher);
  if (kind === "file") return [...places];
  const tables = kind === "pattern" ? places : places.filter(isTable);
  if (tables.length > 0) return [...tables];
  const what =
    kind === "pattern" ? "files of this pattern" : `a folder with files that end in ${ENDINGS.join(", ")}`;
  throw new PolybinError("ERR_INPUT", `${place}: expected ${what} but found none`);
}

const ENDINGS: readonly string[] = formats.flatMap(({ extensions }) => extensions);

function isTable(place: string): boolean {
  const name = unpackedName(place).toLowerCase();
  return ENDINGS.some((ending) => name.endsWith(ending));
}
