// The pages that build something from nothing: their steps are carried out as written, in folders of their own.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runConformance } from "@polybin/conformance";
import type { Backend } from "@polybin/core";
import { expect, test } from "vitest";
import { type Block, blocksOf, ROOT } from "./blocks.ts";
import { compile, project, run, TSC, write } from "./run.ts";

const filesOf = (page: string): Block[] => blocksOf(page).filter(({ mark }) => mark?.word === "file");

test("docs/adding-a-backend.md: it compiles, counts and keeps the contract", async () => {
  const folder = project();
  for (const { mark, text } of filesOf("docs/adding-a-backend.md")) write(folder, mark!.text, `${text}\n`);
  expect(await compile(folder)).toBe("");
  const { stdout, stderr } = await run(process.execPath, [join(folder, "src", "main.ts")]);
  expect({ stdout, stderr }).toEqual({ stdout: "1000 plain global\n", stderr: "" });
  const { plain } = (await import(
    /* @vite-ignore */ pathToFileURL(join(folder, "src", "backend.ts")).href
  )) as {
    plain: () => Backend;
  };
  const { results, passed } = await runConformance(plain, { required: true, numRuns: 5 });
  expect(results.filter(({ status }) => status === "failed")).toEqual([]);
  expect(passed).toBeGreaterThan(50);
});

/** A package's sources beside the others' of the checkout, to be changed. */
function copied(folder: string, name: string, parts: readonly string[]): string {
  const [from, to] = [join(ROOT, "packages", name), join(folder, "packages", name)];
  mkdirSync(to, { recursive: true });
  for (const part of parts) cpSync(join(from, part), join(to, part), { recursive: true });
  return to;
}

/** Puts what an excerpt adds to a file behind the line that it has before it. */
function applied(file: string, { at, text }: Block): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const plain = (line: string): string => line.trim().replace(/;$/, "");
  let place = -1;
  for (const line of text.split("\n").filter((one) => !one.includes("…"))) {
    const known = lines.findIndex((one, i) => i > place && plain(one) === plain(line));
    if (known >= 0) place = known;
    else {
      if (line.endsWith(";") && place >= 0 && !line.startsWith("import"))
        lines[place] = lines[place]!.replace(/;$/, "");
      lines.splice(++place, 0, line);
    }
  }
  if (place < 0) throw new Error(`${at} adds nothing`);
  writeFileSync(file, lines.join("\n"));
}

test("docs/adding-an-algorithm.md: core compiles with it and its tests pass, and so does its kernel", async () => {
  const page = "docs/adding-an-algorithm.md";
  const folder = project();
  cpSync(join(ROOT, ".config"), join(folder, ".config"), { recursive: true });
  const configs = ["package.json", "tsconfig.json", "tsconfig.build.json", "src"];
  const core = copied(folder, "core", configs);
  const piscina = copied(folder, "piscina", configs);
  symlinkSync(join(ROOT, "packages", "core", "node_modules"), join(core, "node_modules"));
  // The pool's packages but for core, which is the changed one.
  const packages = join(ROOT, "packages", "piscina", "node_modules");
  for (const name of readdirSync(packages)
    .filter((one) => !/^[.@]/.test(one))
    .concat("@types")) {
    mkdirSync(join(piscina, "node_modules", "@polybin"), { recursive: true });
    symlinkSync(join(packages, name), join(piscina, "node_modules", name));
  }
  symlinkSync(core, join(piscina, "node_modules", "@polybin", "core"));

  for (const block of blocksOf(page)) {
    if (block.mark?.word === "file") write(folder, block.mark.text, `${block.text}\n`);
    if (block.mark?.word === "excerpt") applied(join(folder, block.mark.text), block);
  }
  for (const built of [core, piscina]) {
    const { stdout } = await run(TSC, ["-p", "tsconfig.build.json"], { cwd: built }).catch((error) => error);
    expect(stdout).toBe("");
  }
  const vitest = join(ROOT, "node_modules", ".bin", "vitest");
  const report = join(folder, "report.json");
  await run(vitest, ["run", "--reporter", "json", "--outputFile", report], { cwd: core });
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ numPassedTests: 4, numTotalTests: 4 });
});
