// An addon that needs a newer glibc than its README says is found.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { glibcOf, glibcProblem } from "./glibc.mjs";

test("the newest version of glibc counts, by number", () => {
  assert.equal(glibcOf(Buffer.from("GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.4\0GLIBCXX_3.4.30")), 34);
  assert.equal(glibcOf(Buffer.from("none")), 0);
});

test("a promise that the addon breaks is a problem, and so is none", () => {
  const folder = mkdtempSync(join(tmpdir(), "polybin-glibc-"));
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const readme = write("README.md", "Linux x64 with glibc 2.34 or newer.");
  const addon = (version) => write("addon.node", `\0GLIBC_2.2.5\0GLIBC_${version}\0`);
  assert.equal(glibcProblem(addon("2.34"), readme), null);
  assert.match(glibcProblem(addon("2.38"), readme), /needs 2\.38/);
  assert.match(glibcProblem(addon("2.34"), write("OTHER.md", "Linux")), /expected "glibc/);
  rmSync(folder, { recursive: true });
});
