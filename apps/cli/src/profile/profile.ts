import { type OpenTableOptions, openTables, type Table } from "@polybin/columns";
import type { ProfileJson, ProfileProgress } from "@polybin/columns/profile";
import { Choice } from "../engine/index.ts";
import { guessedFormat, placesOf } from "../input/index.ts";
import type { Reading } from "../options/index.ts";
import { LeftOut, tellGuesses } from "../tables/index.ts";
import { progressBar } from "../terminal/index.ts";
import { checkReport, printProfile } from "./print.ts";
import { isSharded, type ProfileOptions, type ProfileRequest, parseProfile, rangesIn } from "./request.ts";

/** Bytes that a row takes in a file, about, where the file does not state its number of rows. */
const ROW_BYTES = 64;

/**
 * Threads of a backend that has some. The files are decoded in threads, and one counts faster than they decode. A batch is
 * then counted where it lies.
 */
export const COUNTING_THREADS = 1;

/** `polybin profile FILE…`. */
export async function profileFiles(
  given: readonly string[],
  options: ProfileOptions,
  signal: AbortSignal,
): Promise<void> {
  const files = await placesOf(given, signal);
  const request = parseProfile(files, options);
  if (isSharded(options)) {
    const { profileShards } = await import("./shards.ts");
    return profileShards(files, options, request, signal);
  }
  const html = await checkReport(files, options);
  const found = await profiled(files, request, signal);
  await printProfile(found, { json: options.json, html, byAuto: request.backend === "auto", signal });
}

async function profiled(
  files: readonly string[],
  request: ProfileRequest,
  signal: AbortSignal,
): Promise<ProfileJson> {
  const { profile } = await import("@polybin/columns/profile");
  const { backend, threads, reading, ranges: texts, ...counts } = request;
  const where = {
    backend,
    threads: COUNTING_THREADS,
    algorithm: "auto",
    segments: null,
    joint: request.joint.length > 0,
    table: true,
  } as const;
  await using choice = await Choice.of(where);
  let tables: readonly Table[] = [];
  const bars = await passBars(files);
  try {
    const opening = await openingOf(files, reading, signal);
    tables = await openTables(files, { signal, ...opening, ...(threads && { threads }) });
    const ranges = rangesIn(tables, texts);
    const engine = await choice.engine(valuesOf(tables), "f64");
    const found = await profile(engine, tables, { ...counts, ranges, signal, onProgress: bars.watch });
    bars.clear();
    tellTables(tables);
    return found;
  } finally {
    bars.clear();
    await Promise.all(tables.map((table) => table.close()));
  }
}

/** Says what was guessed of tables, and what they left out. */
export function tellTables(tables: readonly Table[]): void {
  tellGuesses(tables);
  const leftOut = new LeftOut();
  for (const table of tables) leftOut.see(table);
  leftOut.tell();
}

/** The options of `openTable`, which checks them. */
export async function openingOf(
  files: readonly string[],
  { format: given, read, headers }: Reading,
  signal: AbortSignal,
): Promise<OpenTableOptions> {
  // The name or the content of a file among several shows its format.
  const format = given ?? (files.length === 1 ? await guessedFormat(files[0]!, signal) : null);
  return { ...read, headers, ...(format !== null && { format }) };
}

/** About the number of values to count; null if nobody knows. */
export function valuesOf(tables: readonly Table[]): number | null {
  let sum = 0;
  for (const { rows, parts, columns } of tables) {
    const bytes = parts?.reduce((total, part) => total + part.bytes, 0) ?? null;
    if (rows === null && bytes === null) return null;
    sum += (rows ?? bytes! / ROW_BYTES) * columns.length;
  }
  return sum;
}

/** Passes over all files at most: two for each of two profiles, or three with correlations. */
const MOST_PASSES = 4;

/** One progress bar per pass. */
export async function passBars(
  files: readonly string[],
): Promise<{ watch: (progress: ProfileProgress) => void; clear: () => void }> {
  const name = files.length === 1 ? files[0]! : `${files.length} files`;
  const names = Array.from({ length: MOST_PASSES }, (_, i) => (i === 0 ? name : `${name}, pass ${i + 1}`));
  const bars = await Promise.all(names.map((one) => progressBar(one, "B")));
  let shown = bars[0]!;
  return {
    watch: ({ pass, bytes, totalBytes }) => {
      const bar = bars[pass - 1]!;
      if (bar !== shown) shown.clear();
      shown = bar;
      bar.watch({ done: bytes, total: totalBytes });
    },
    clear: () => shown.clear(),
  };
}
