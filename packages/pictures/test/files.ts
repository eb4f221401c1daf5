import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A file with these bytes, which is removed when the test ends. */
export function file(name: string, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "polybin-pictures-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}
