import type { ProfileJson } from "@polybin/columns/profile";
import { exactly, printable } from "../base/index.ts";
import { checkOutput, keptInputs, type Target, writeWhole } from "../output/index.ts";
import { note, write } from "../terminal/index.ts";
import type { ProfileOptions } from "./request.ts";

/** How a profile is shown. */
export interface Printing {
  readonly json: boolean | undefined;
  /** The file of the report. */
  readonly html: Target | null;
  /** Whether `auto` chose the backend. */
  readonly byAuto: boolean;
  readonly signal: AbortSignal;
}

/** Resolves the path of the report. @throws ERR_INPUT if it cannot be written */
export async function checkReport(
  files: readonly string[],
  { html }: Pick<ProfileOptions, "html">,
): Promise<Target | null> {
  return html === undefined ? null : checkOutput(keptInputs(files), "--html", html);
}

/** Writes the report of a profile and prints it. */
export async function printProfile(
  found: ProfileJson,
  { json, html, byAuto, signal }: Printing,
): Promise<void> {
  if (html !== null) {
    const { renderReport } = await import("@polybin/columns/report");
    await writeWhole([{ target: html, data: await renderReport(found, { date: new Date(), signal }) }]);
  }
  if (json) {
    await write(`${printable(JSON.stringify(found, exactly))}\n`);
    if (byAuto) note(`auto chose ${found.backend} (${found.device})`);
    return;
  }
  const { profileTable } = await import("./table.ts");
  await write(profileTable(found, byAuto));
}
