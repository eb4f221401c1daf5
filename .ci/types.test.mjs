import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compilerVersions } from "./types.mjs";
import { root } from "./workspace.mjs";

test("docs/reference/versions.md promises the compilers that check the declarations, from the oldest on", () => {
  const versions = compilerVersions();
  const page = readFileSync(join(root, "docs/reference/versions.md"), "utf8");
  const [, promised, tested] = /^\| TypeScript \| (\S+) and newer \| (.+) \|$/m.exec(page);
  assert.deepEqual(tested.split(/, | and /), versions);
  assert.equal(promised, versions[0]);
});
