// Every block of every page is run, compiled, compared or parsed by a test, or its fence says why not.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Block, blocksOf, PAGES, ROOT } from "./blocks.ts";

const blocks = PAGES.flatMap(blocksOf);

/** What a block lacks, or null where a test covers it. The tests named here choose their blocks by the same rules. */
function lackOf(block: Block): string | null {
  const { language, mark, text } = block;
  if (mark?.word === "tested") return lackOfTest(block, mark.text);
  if (language === "ts" || language === "js") return null; // programs.test.ts
  if (mark?.word === "file") {
    const tests = [...globSync("*.nightly.test.ts", { cwd: import.meta.dirname })];
    const follows = tests.some((name) =>
      readFileSync(join(import.meta.dirname, name), "utf8").includes(pageOf(block)),
    );
    return follows ? null : "no nightly test follows this page and writes the file";
  }
  if (mark?.word === "not run") return null;
  switch (language) {
    case "sh": // shell.test.ts
    case "python": // python.test.ts
    case "json": // below
      return null;
    case "text":
      if (text.startsWith("$ ") || mark?.word === "paths") return null; // commands.test.ts; below
      return 'say what it is: "text tested: a test file", "text paths: a folder" or "text not run: a reason"';
    case "":
      return "its fence names no language: ts, js, python, sh, json, or text for all that is no code";
    default:
      return `no test runs ${language}: add one, or say why not with "${language} not run: a reason"`;
  }
}

function lackOfTest(block: Block, path: string): string | null {
  if (!existsSync(join(ROOT, path))) return `${path} does not exist`;
  return readFileSync(join(ROOT, path), "utf8").includes(pageOf(block))
    ? null
    : `${path} does not name this page`;
}

/** The page of a block; a README stands for its folder. */
const pageOf = ({ at }: Block): string => at.replace(/:\d+$/, "").replace(/\/README\.md$/, "");

test("a test covers every block", () => {
  expect(PAGES.length).toBeGreaterThan(30);
  const lacking = blocks.map((block) => [block.at, lackOf(block)]).filter(([, lack]) => lack !== null);
  expect(lacking).toEqual([]);
});

test("a block that nothing covers is noticed", () => {
  const block: Block = { at: "docs/reference/library.md:1", language: "", mark: null, text: "x" };
  expect(lackOf(block)).toMatch("names no language");
  expect(lackOf({ ...block, language: "text" })).toMatch("say what it is");
  expect(lackOf({ ...block, language: "rust" })).toMatch("no test runs rust");
  expect(lackOf({ ...block, mark: { word: "tested", text: "nowhere.test.ts" } })).toMatch("does not exist");
  const test = "apps/cli/test/docs/backend.nightly.test.ts";
  expect(lackOf({ ...block, mark: { word: "tested", text: test } })).toMatch("does not name this page");
});

test("every block of JSON can be parsed", () => {
  for (const { at, language, text, mark } of blocks) {
    if (language === "json" && mark === null) expect(() => JSON.parse(text), at).not.toThrow();
  }
});

const listings = blocks.filter(({ mark }) => mark?.word === "paths");

test.for(listings.map((block) => [block.at, block] as const))(
  "%s lists paths that exist",
  ([, { mark, text }]) => {
    const paths = text.split("\n").flatMap((line) => /^(\S+)/.exec(line)?.[1] ?? []);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(join(ROOT, mark!.text, path)))).toEqual([]);
  },
);
