import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { contentProblems } from "./archive-contents.mjs";
import { run } from "./workspace.mjs";

const folder = mkdtempSync(join(tmpdir(), "polybin-contents-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const MANIFEST = {
  name: "@polybin/x",
  repository: { url: "git+https://example.org/x.git", directory: "packages/x" },
  homepage: "https://example.org",
  bugs: "https://example.org/bugs",
  keywords: ["a", "b", "c"],
  license: "MIT",
  publishConfig: { access: "public", provenance: true },
  sideEffects: false,
  exports: { ".": "./dist/index.js" },
  dependencies: { "@polybin/core": "1.2.3", hyparquet: "1.31.5", sharp: "^0.35.5" },
};
const FILES = {
  LICENSE: "MIT License",
  "README.md": "words ".repeat(20),
  "dist/index.js": "export const x = 1;\n//# sourceMappingURL=index.js.map",
  "dist/index.js.map": JSON.stringify({
    sources: ["../src/index.ts"],
    sourcesContent: ["export const x = 1;"],
  }),
};

let made = 0;
/** The problems of an archive with these files. */
async function problemsOf(manifest, files = FILES) {
  const place = join(folder, String(made++));
  for (const [name, text] of Object.entries({ ...files, "package.json": JSON.stringify(manifest) })) {
    mkdirSync(dirname(join(place, "package", name)), { recursive: true });
    writeFileSync(join(place, "package", name), text);
  }
  const archive = join(place, "x.tgz");
  const { code, output } = await run("tar", ["-czf", archive, "-C", place, "package"]);
  assert.equal(code, 0, output);
  return contentProblems({ archive, folder: "packages/x" });
}

test("a library with whole source maps and ranges has no problem", async () => {
  assert.equal(await problemsOf(MANIFEST), null);
});

test("tools and scripts of a checkout are named", async () => {
  const tools = { devDependencies: { vitest: "5.1.0" }, scripts: { test: "vitest" } };
  assert.equal(
    await problemsOf({ ...MANIFEST, ...tools }),
    "expected that it has no devDependencies\nexpected that it has no scripts",
  );
});

test("an exact version of somebody else's package is named, optional or not", async () => {
  const exact = { dependencies: { sharp: "0.35.5" }, optionalDependencies: { webgpu: "0.6.2" } };
  assert.equal(
    await problemsOf({ ...MANIFEST, ...exact }),
    "expected that its dependencies are ranges (not sharp, webgpu)",
  );
});

test("a library without its sources, and a command with source maps, are named", async () => {
  const bare = { ...FILES, "dist/index.js.map": JSON.stringify({ sources: ["../src/index.ts"] }) };
  assert.equal(
    await problemsOf(MANIFEST, bare),
    "expected that dist/index.js.map has the text of its sources",
  );
  const { exports: _, ...command } = { ...MANIFEST, bin: { x: "dist/index.js" } };
  assert.equal(await problemsOf(command), "expected no source map but found dist/index.js.map");
});
