import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

/** The sample picture of the command. */
export const SAMPLE: URL = new URL("../../cli/sample/evening.png", import.meta.url);

/** A file for the playground's field. */
export function upload(
  name: string,
  bytes: Uint8Array | string,
): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: "", buffer: Buffer.from(bytes as Uint8Array) };
}

/** Waits until something that was opened is shown. */
export const opened = (page: Page, name: string): Promise<void> =>
  page.locator("#status", { hasText: `${name} is shown.` }).waitFor();

/** The columns of the CSV that the page saves below its plot, by name. */
export async function savedColumns(page: Page): Promise<Readonly<Record<string, number[]>>> {
  const details = page.locator("#values");
  if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  const [head, ...lines] = (await readFile((await download.path())!, "utf8")).trim().split("\r\n");
  const cells = (line: string) => line.split(",").map((cell) => cell.replaceAll('"', ""));
  const rows = lines.map(cells);
  return Object.fromEntries(cells(head!).map((name, i) => [name, rows.map((row) => Number(row[i]))]));
}
