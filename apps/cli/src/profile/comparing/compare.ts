import { openTables, type Table } from "@polybin/columns";
import type { ComparisonJson } from "@polybin/columns/compare";
import { exactly, printable } from "../../base/index.ts";
import { Choice } from "../../engine/index.ts";
import { writeWhole } from "../../output/index.ts";
import { note, write } from "../../terminal/index.ts";
import { checkReport } from "../print.ts";
import { COUNTING_THREADS, openingOf, passBars, tellTables, valuesOf } from "../profile.ts";
import { profilesIn } from "./profiles.ts";
import { type CompareOptions, type CompareRequest, parseCompare } from "./request.ts";

type Two = readonly [a: string, b: string];

/** `polybin compare A B`. */
export async function compareFiles(files: Two, options: CompareOptions, signal: AbortSignal): Promise<void> {
  const request = parseCompare(files, options);
  const html = await checkReport(files, options);
  const profiles = await profilesIn(files, options);
  const { compareProfiles } = await import("@polybin/columns/compare");
  const found =
    profiles === null ? await compared(files, request, signal) : compareProfiles(profiles[0], profiles[1]);
  if (html !== null) {
    const { renderComparison } = await import("@polybin/columns/report");
    await writeWhole([{ target: html, data: await renderComparison(found, { date: new Date(), signal }) }]);
  }
  const byAuto = profiles === null && request.backend === "auto";
  if (options.json) {
    await write(`${printable(JSON.stringify(found, exactly))}\n`);
    if (byAuto) note(`auto chose ${found.a.backend} (${found.a.device})`);
    return;
  }
  const { comparisonTable } = await import("./table.ts");
  await write(comparisonTable(found, byAuto));
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
