// Every block of TypeScript and JavaScript in the documentation is compiled against the built packages, and run
// unless its fence says why not. docs/reference/library.md promises it to its readers.
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { blocksOf, PAGES, type Program, programsOf, ROOT } from "./blocks.ts";
import { checkedModuleOf, compile, moduleOf, project, run, write } from "./run.ts";

const programs = PAGES.flatMap(programsOf);
const runnable = programs.filter(({ compiled }) => compiled === null);

test("the pages and their programs are found", () => {
  expect(PAGES).toEqual(
    expect.arrayContaining(["README.md", "docs/reference/library.md", "apps/cli/README.md"]),
  );
  expect(PAGES.filter((page) => page.includes("node_modules"))).toEqual([]);
  expect(programs.map(({ at }) => at.split(":")[0])).toEqual(
    expect.arrayContaining([
      "README.md",
      "docs/reference/library.md",
      "docs/guides/weights.md",
      "docs/internals/webgpu.md",
    ]),
  );
});

test("every program compiles", async () => {
  const folder = project();
  for (const [i, program] of programs.entries()) write(folder, nameOf(program, i), `${moduleOf(program)}\n`);
  expect(await compile(folder)).toBe("");
});

describe("runs, and has the values that its comments tell:", () => {
  test.for(runnable.map((program) => [program.at, program] as const))("%s", async ([, program]) => {
    const { text } = checkedModuleOf(program);
    const cwd = project();
    symlinkSync(join(ROOT, "apps"), join(cwd, "apps")); // the README counts the sample picture
    const { stdout, stderr } = await run(process.execPath, [write(cwd, "program.ts", text)], { cwd });
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
  });
});

test("a value that a comment tells wrongly is noticed", async () => {
  const text = "const h = { counts: [1, 2] };\n[...h.counts]; // [1, 3]";
  const program: Program = {
    at: "x:1",
    blocks: [{ at: "x:1", language: "js", mark: null, text }],
    compiled: null,
  };
  const checked = checkedModuleOf(program);
  expect(checked.values).toBe(1);
  await expect(run(process.execPath, [write(project(), "program.ts", checked.text)])).rejects.toThrow(
    "x:1, line 2",
  );
});

test("docs/reference/library.md tells many values, all of them looked at", () => {
  const values = programsOf("docs/reference/library.md").map((program) => checkedModuleOf(program).values);
  expect(Math.max(...values)).toBeGreaterThan(30);
});

const excerpts = PAGES.flatMap(blocksOf).filter(({ mark }) => mark?.word === "excerpt");

test.for(excerpts.map((block) => [block.at, block] as const))(
  "%s stands in its file but for what the page adds",
  ([, { mark, text }]) => {
    const lines = readFileSync(join(ROOT, mark!.text), "utf8").split("\n");
    const plain = (line: string): string => line.trim().replace(/;$/, "");
    const known = new Set(lines.map(plain));
    const old = text.split("\n").filter((line) => !/run-?length|…/i.test(line));
    expect(old.map(plain).filter((line) => !known.has(line))).toEqual([]);
    expect(old.length).toBeGreaterThan(0);
  },
);

const nameOf = ({ at }: Program, i: number): string => `${i}-${at.replaceAll(/[^\w]+/g, "-")}.ts`;
