import type { ComparisonJson } from "@polybin/columns/compare";
import { exactly, printable } from "../../base/index.ts";
import { writeWhole } from "../../output/index.ts";
import { note, write } from "../../terminal/index.ts";
import type { Printing } from "../print.ts";

/** Writes the report of a comparison and prints it. */
export async function printComparison(
  found: ComparisonJson,
  { json, html, byAuto, signal }: Printing,
): Promise<void> {
  if (html !== null) {
    const { renderComparison } = await import("@polybin/columns/report");
    await writeWhole([{ target: html, data: await renderComparison(found, { date: new Date(), signal }) }]);
  }
  if (json) {
    await write(`${printable(JSON.stringify(found, exactly))}\n`);
    if (byAuto) note(`auto chose ${found.a.backend} (${found.a.device})`);
    return;
  }
  const { comparisonTable } = await import("./table.ts");
  await write(comparisonTable(found, byAuto));
}
