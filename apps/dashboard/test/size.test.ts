import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DIST, PLAYGROUND } from "./static-site.ts";

/** Sizes in bytes, gzipped. */
const MOST_BYTES = 885_000;
const MOST_FIRST_BYTES = 135_000;
const MOST_PLAYGROUND_BYTES = 30_000;

const sizeOf = (folder: URL, path: string): number => gzipSync(readFileSync(new URL(path, folder))).length;

/** The scripts that a page loads before the reader does anything: those that its HTML names, and what they import. */
function firstScripts(folder: URL): Set<string> {
  const page = readFileSync(new URL("index.html", folder), "utf8");
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const text = readFileSync(new URL(path, folder), "utf8");
    for (const [, name] of text.matchAll(/(?:from|import) ?"\.\/([^"]+\.js)"/g)) add(`assets/${name}`);
  };
  for (const [, path] of page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)) add(path!);
  return found;
}

const total = (folder: URL, paths: Iterable<string>): number =>
  [...paths].reduce((sum, path) => sum + sizeOf(folder, path), 0);

test("all scripts, with the library's copies of workers and the decoders of tables, stay under 885 KB gzipped; few come first", () => {
  const all = readdirSync(new URL("assets/", DIST)).filter((name) => name.endsWith(".js"));
  expect(all.length).toBeGreaterThan(1);
  const sizes = {
    all: total(
      DIST,
      all.map((name) => `assets/${name}`),
    ),
    dashboard: total(DIST, firstScripts(DIST)),
    playground: total(PLAYGROUND, firstScripts(PLAYGROUND)),
  };
  console.log(`${all.length} scripts, bytes gzipped:`, sizes);
  expect(sizes.all).toBeLessThan(MOST_BYTES);
  expect(sizes.dashboard).toBeLessThan(MOST_FIRST_BYTES);
  expect(sizes.playground).toBeLessThan(MOST_PLAYGROUND_BYTES);
});
