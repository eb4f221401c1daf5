import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DIST } from "./static-site.ts";

const MOST_BYTES = 370_000;

test("all scripts together, the library's kernels included, stay under 370 KB gzipped", () => {
  const scripts = readdirSync(new URL("assets/", DIST)).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(1);
  const bytes = scripts.map((name) => gzipSync(readFileSync(new URL(`assets/${name}`, DIST))).length);
  const total = bytes.reduce((sum, one) => sum + one, 0);
  console.log(`${scripts.length} scripts, ${total} bytes gzipped`);
  expect(total).toBeLessThan(MOST_BYTES);
});
