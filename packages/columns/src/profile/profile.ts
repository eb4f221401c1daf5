import type { Engine } from "@polybin/core";
import type { Table } from "../table/index.ts";
import type { ProfileJson } from "./json.ts";
import type { ProfileOptions } from "./options.ts";
import { countSides } from "./sides.ts";

/**
 * Profiles all columns of tables together: counts, nulls, different values, extent, moments, quantiles, histograms, and
 * joint pictures of chosen pairs. Columns of the same name in several tables are one column.
 *
 * The tables are read once if their statistics or `ranges` give the range of every column, or if the other columns fit
 * `keepBytes` or have at most `distinctLimit` different values. Otherwise a second pass reads the columns that need it. Memory stays bounded for any number of rows.
 *
 * A column that cannot be read does not stop the others: its type says why, and its nulls are those that the files state.
 *
 * @throws ERR_INPUT for options, columns that do not exist, or one column with two types.
 * @throws ERR_LIMIT if a stream, which can be read only once, would have to be read again.
 */
export async function profile(
  engine: Engine,
  tables: readonly Table[],
  options: ProfileOptions = {},
): Promise<ProfileJson> {
  const [side] = await countSides(engine, [tables], options);
  return side!.profile;
}
