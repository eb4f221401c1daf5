// Every Python block of the documentation runs, a page's blocks as one program, where python3 has the modules that it
// imports. A comment behind an expression is its value.
import { expect, test } from "vitest";
import { blocksOf, PAGES } from "./blocks.ts";
import { run } from "./run.ts";

const pages = PAGES.map((page) => ({
  page,
  blocks: blocksOf(page).filter(
    ({ language, mark }) => language === "python" && !["not run", "tested"].includes(mark?.word ?? ""),
  ),
})).filter(({ blocks }) => blocks.length > 0);

/** The program with each value that a comment states compared with the expression before it. */
function checked(text: string, at: string): string {
  return text
    .split("\n")
    .map((line, i) => {
      const stated = /^(?!import |from |\s|\w+ = |[\w, ]+ = )(.+?) {2}# (.+)$/.exec(line);
      return stated === null
        ? line
        : `same(${stated[1]}, ${stated[2]}, ${JSON.stringify(`${at}, line ${i + 1}`)})`;
    })
    .join("\n");
}

const SAME = `
def same(found, stated, at):
    if type(found) != type(stated) or found != stated:
        raise SystemExit(f"{at}: the page states {stated!r} and the value is {found!r}")
`;

const modulesOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name]) => name!);

/** The module of a program that python3 lacks, as a reason to skip, or null. */
async function lacking(text: string): Promise<string | null> {
  for (const name of modulesOf(text)) {
    const found = await run("python3", ["-c", `import ${name}`]).catch((error) => error);
    if (found instanceof Error) {
      return /ENOENT/.test(found.message) ? "there is no python3" : `python3 has no module ${name}`;
    }
  }
  return null;
}

test("the pages have programs in Python", () => {
  expect(pages.length).toBeGreaterThanOrEqual(3);
});

test.for(pages.map((one) => [one.page, one] as const))("%s runs", async ([page, { blocks }], { skip }) => {
  const program = blocks.map(({ at, text }) => checked(text, at)).join("\n");
  const values = program.match(/^same\(/gm)?.length ?? 0;
  expect(values, page).toBeGreaterThan(0);
  const lack = await lacking(program);
  if (lack !== null) return skip(`${page} is not run: ${lack}`);
  await run("python3", ["-c", `${SAME}\n${program}`]);
});

test("a value that a comment states wrongly is noticed", async ({ skip }) => {
  const lack = await lacking("import sys");
  if (lack !== null) return skip(lack);
  const program = `${SAME}\n${checked("sum([1, 2])  # 4", "x:1")}`;
  await expect(run("python3", ["-c", program])).rejects.toThrow(
    "x:1, line 1: the page states 4 and the value is 3",
  );
});
