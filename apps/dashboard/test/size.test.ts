import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DIST } from "./static-site.ts";

/** Readings, exports and the roofline of the plots took 10 KB more than the 370 KB before them. */
const MOST_BYTES = 385_000;
/** The library of the plots is 90 KB of it. */
const MOST_AT_FIRST = 130_000;

const script = (name: string): Buffer => readFileSync(new URL(`assets/${name}`, DIST));
const zipped = (name: string): number => gzipSync(script(name)).length;

test("all scripts together, the library's kernels included, stay under 385 KB gzipped", () => {
  const scripts = readdirSync(new URL("assets/", DIST)).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(1);
  const total = scripts.reduce((sum, name) => sum + zipped(name), 0);
  console.log(`${scripts.length} scripts, ${total} bytes gzipped`);
  expect(total).toBeLessThan(MOST_BYTES);
});

test("the scripts of the first view stay under 130 KB gzipped", () => {
  const page = readFileSync(new URL("index.html", DIST), "utf8");
  const needed = new Set([...page.matchAll(/assets\/([^"]+\.js)/g)].map(([, name]) => name!));
  // A static import. A dynamic one has a parenthesis.
  for (const name of needed)
    for (const [, other] of script(name)
      .toString()
      .matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      needed.add(other!);
  const total = [...needed].reduce((sum, name) => sum + zipped(name), 0);
  console.log(`${needed.size} scripts of the first view, ${total} bytes gzipped`);
  expect(needed.size).toBeGreaterThan(1);
  expect(total).toBeLessThan(MOST_AT_FIRST);
});
