// How generated files are named and written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** per-lane: perLane, as functions are named. */
export const inCamelCase = (slug) => slug.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());

/** Writes a file unless it says so already: what was made of it is then not made again. */
export function write(url, text) {
  if (existsSync(url) && readFileSync(url, "utf8") === text) return;
  mkdirSync(new URL(".", url), { recursive: true });
  writeFileSync(url, text);
}
