// A page pays for the functions that it imports, and for nothing else.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const ENTRY = fileURLToPath(new URL("../src/index.ts", import.meta.url));

/** Bytes of a page that imports these names: minified, gzipped. */
async function bytesOf(names: string): Promise<number> {
  const input = join(mkdtempSync(join(tmpdir(), "polybin-size-")), "page.js");
  writeFileSync(input, `export ${names} from ${JSON.stringify(ENTRY)};`);
  const build = await rolldown({ input, platform: "neutral" });
  const { output } = await build.generate({ minify: true });
  await build.close();
  return output.reduce((sum, chunk) => sum + ("code" in chunk ? gzipSync(chunk.code).length : 0), 0);
}

test.for([
  ["*", 9_600],
  ["{ otsu }", 1_500],
  ["{ median }", 2_000],
  ["{ equalize, applyTable }", 1_600],
  ["{ mutualInformation }", 1_300],
] as const)("%s takes at most %i bytes", async ([names, most]) => {
  const bytes = await bytesOf(names);
  console.log(`${names}: ${bytes} bytes gzipped`);
  expect(bytes).toBeLessThanOrEqual(most);
  expect(bytes).toBeGreaterThan(most / 2);
});
