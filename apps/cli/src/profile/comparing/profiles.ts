import { readFile } from "node:fs/promises";
import type { ProfileJson } from "@polybin/columns/profile";
import { PolybinError } from "@polybin/core";
import { beginsWith } from "../../base/index.ts";
import { refuse, refuseReading } from "../../options/index.ts";
import type { CompareOptions } from "./request.ts";

/** The first bytes of a profile, as `profile --json` prints it. */
const HEAD = '{"version":1,"files":[';

/** Options that say how tables are counted. */
const COUNTS = ["columns", "bins", "top", "distinctLimit", "threads", "shard", "out", "after"] as const;

/**
 * Reads two profiles. Null if neither file is one.
 * @throws ERR_INPUT if only one is, for options that need tables, and for damage.
 */
export async function profilesIn(
  files: readonly [string, string],
  options: CompareOptions,
): Promise<readonly [ProfileJson, ProfileJson] | null> {
  const [a, b] = await Promise.all(files.map(isProfile));
  if (!a && !b) return null;
  if (a !== b) {
    const [one, other] = a ? files : [files[1], files[0]];
    throw new PolybinError(
      "ERR_INPUT",
      `expected two tables or two profiles but ${one} is a profile and ${other} is not; run polybin profile ${other} --json first`,
    );
  }
  refuse(options, "two profiles", COUNTS, "is for tables");
  refuseReading(options, "tables");
  const [x, y] = await Promise.all(files.map(profileIn));
  return [x!, y!];
}

// The reader of tables reports what is wrong with a file that cannot be opened.
const isProfile = async (path: string): Promise<boolean> =>
  path !== "-" && !path.includes("://") && beginsWith(path, [HEAD]);

async function profileIn(path: string): Promise<ProfileJson> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as ProfileJson;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new PolybinError("ERR_INPUT", `${path}: expected a whole profile but ${cause.message}`, { cause });
  }
}
