// Names and writes generated files.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Converts per-lane to perLane, which is how functions are named. */
export const inCamelCase = (slug) => slug.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());

const written = new Set();

/** Writes a file unless it has this content already, so that nothing is rebuilt because of it. */
export function write(url, text) {
  written.add(fileURLToPath(url));
  if (existsSync(url) && readFileSync(url, "utf8") === text) return;
  mkdirSync(new URL(".", url), { recursive: true });
  writeFileSync(url, text);
}

/** Removes all files in a folder that were not written, because their sources no longer exist. */
export function removeOthers(url) {
  const folder = fileURLToPath(url);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) rmSync(file);
  }
}
