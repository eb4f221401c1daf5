// How generated files are named and written.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** per-lane: perLane, as functions are named. */
export const inCamelCase = (slug) => slug.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());

const written = new Set();

/** Writes a file unless it says so already: what was made of it is then not made again. */
export function write(url, text) {
  written.add(fileURLToPath(url));
  if (existsSync(url) && readFileSync(url, "utf8") === text) return;
  mkdirSync(new URL(".", url), { recursive: true });
  writeFileSync(url, text);
}

/** Removes what was made of something that is no longer there: all in a folder that was not written. */
export function removeOthers(url) {
  const folder = fileURLToPath(url);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) rmSync(file);
  }
}
