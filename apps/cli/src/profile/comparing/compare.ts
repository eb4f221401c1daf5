import { openTables, type Table } from "@polybin/columns";
import type { ComparisonJson } from "@polybin/columns/compare";
import { Choice } from "../../engine/index.ts";
import { checkReport } from "../print.ts";
import { COUNTING_THREADS, openingOf, passBars, tellTables, valuesOf } from "../profile.ts";
import { isSharded } from "../request.ts";
import { printComparison } from "./print.ts";
import { profilesIn } from "./profiles.ts";
import { type CompareOptions, type CompareRequest, parseCompare } from "./request.ts";

type Two = readonly [a: string, b: string];

/** `polybin compare A B`. */
export async function compareFiles(files: Two, options: CompareOptions, signal: AbortSignal): Promise<void> {
  const request = parseCompare(files, options);
  if (isSharded(options) && (await profilesIn(files, options)) === null) {
    const { compareShards } = await import("./shards.ts");
    return compareShards(files, options, request, signal);
  }
  const html = await checkReport(files, options);
  const profiles = await profilesIn(files, options);
  const { compareProfiles } = await import("@polybin/columns/compare");
  const found =
    profiles === null ? await compared(files, request, signal) : compareProfiles(profiles[0], profiles[1]);
  const byAuto = profiles === null && request.backend === "auto";
  await printComparison(found, { json: options.json, html, byAuto, signal });
}

async function compared(files: Two, request: CompareRequest, signal: AbortSignal): Promise<ComparisonJson> {
  const { compare } = await import("@polybin/columns/compare");
  const { backend, threads, reading, ...counts } = request;
  const where = {
    backend,
    threads: COUNTING_THREADS,
    algorithm: "auto",
    segments: null,
    joint: false,
    table: true,
  } as const;
  await using choice = await Choice.of(where);
  const tables: Table[] = [];
  const bars = await passBars(files);
  const open = async (place: string): Promise<readonly Table[]> => {
    const opening = await openingOf([place], reading, signal);
    const own = await openTables(place, { signal, ...opening, ...(threads && { threads }) });
    tables.push(...own);
    return own;
  };
  try {
    const a = await open(files[0]);
    const b = await open(files[1]);
    const engine = await choice.engine(valuesOf(tables), "f64");
    const found = await compare(engine, a, b, { ...counts, signal, onProgress: bars.watch });
    bars.clear();
    tellTables(tables);
    return found;
  } finally {
    bars.clear();
    await Promise.all(tables.map((table) => table.close()));
  }
}
