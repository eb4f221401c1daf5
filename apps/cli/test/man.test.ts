import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { manualOf } from "../src/options/command.ts";
import { program } from "../src/program.ts";

const page = fileURLToPath(new URL("../dist/polybin.1", import.meta.url));
const text = readFileSync(page, "utf8");
/** As it reads: without roff's escapes. */
const read = text
  .replaceAll("\\-", "-")
  .replaceAll(/\\f[BIR]/g, "")
  .replaceAll("\\e", "\\");

test("the man page has every command, option and example of help", () => {
  const root = program(new AbortController().signal);
  for (const command of [root, ...root.commands.flatMap((one) => [one, ...one.commands])]) {
    expect(read).toContain(command.description());
    for (const { flags } of command.createHelp().visibleOptions(command))
      expect(read).toContain(`\n${flags}\n`);
    for (const [line] of manualOf(command).examples) expect(read).toContain(`\n${line}\n`);
    for (const note of manualOf(command).notes ?? []) expect(read).toContain(note);
  }
});

test("it is shipped where man looks for it", () => {
  const { man, files } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(fileURLToPath(new URL(`../${man}`, import.meta.url))).toBe(page);
  expect(files).toContain("dist");
});

test("groff has nothing to say against it", (context) => {
  const args = ["-man", "-Tutf8", "-ww", "-rLL=60n", page];
  const { stdout, stderr, error } = spawnSync("groff", args, { encoding: "utf8" });
  if (error !== undefined) context.skip(`groff is not installed here: ${error.message}`);
  expect(stderr).toBe("");
  expect(stdout).toContain("POLYBIN(1)");
});
