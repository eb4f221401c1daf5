import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { WrongUse } from "../command/wrong-use.ts";

import { RESULTS } from "../runner/machine.ts";
import { Fingerprinter } from "../sources/fingerprints.ts";
import { type Aged, ageOf, ageText, type Dated } from "./stale.ts";

/** Runs `polybin bench --stale [FILE|FOLDER…]`: lists result files that are older than their code. Sets the exit code. */
export function stale(args: readonly string[]): void {
  const { positionals } = parseArgs({
    args: [...args],
    options: { stale: { type: "boolean" } },
    allowPositionals: true,
  });
  const now = new Fingerprinter();
  const places = positionals.length === 0 ? [RESULTS] : positionals.map((place) => resolve(place));
  const files = places
    .flatMap(filesIn)
    .map(({ name, file }): Aged => ({ name, file, age: ageOf(file, now) }));
  process.stdout.write(ageText(files));
  if (files.some(({ age }) => age.state === "stale")) process.exitCode = 1;
}

/** Lists the result files of a folder, or one file. @throws WrongUse */
function filesIn(place: string): { readonly name: string; readonly file: Dated }[] {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const names = isFolder ? globSync("**/*.json", { cwd: place }).sort() : [""];
  if (names.length === 0) throw new WrongUse(`expected result files in ${place} but found none`);
  return names.map((name) => ({ name: name || basename(place), file: readDated(join(place, name)) }));
}

/** @throws WrongUse */
function readDated(path: string): Dated {
  let found: Partial<Dated> | null;
  try {
    found = JSON.parse(readFileSync(path, "utf8")) as Partial<Dated> | null;
  } catch (error) {
    throw new WrongUse(`cannot read ${path}: ${(error as Error).message}`);
  }
  if (typeof found?.commit === "string" && typeof found.date === "string") return found as Dated;
  throw new WrongUse(`expected a result file but received ${path}, which has no commit and date`);
}
