import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Code, Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

export const ROOT: string = fileURLToPath(new URL("../../../../", import.meta.url));

/** A fenced block of a page. */
export interface Block {
  /** "docs/reference/library.md:7" */
  readonly at: string;
  /** "ts", "sh", "text" and so on; empty where the fence names none. */
  readonly language: string;
  /** The note behind the language: a word of `MARKS` and its text, as in `not run: it takes an hour`. */
  readonly mark: { readonly word: string; readonly text: string } | null;
  readonly text: string;
}

/** The words that a fence may say behind its language. */
const MARKS = [
  /** TypeScript that is compiled but cannot run here, and why. */
  "compiled",
  /** A block that no test runs, and why: "it serves until Ctrl+C", "a drawing". */
  "not run",
  /** The test file that carries out or compares the block. It must name the page. */
  "tested",
  /** The file that the lines come from. */
  "excerpt",
  /** The file that the block becomes when a test follows the page. */
  "file",
  /** The folder, "." for the root, in which the first word of each line is a path. */
  "paths",
];
const MARK = new RegExp(`^(${MARKS.join("|")}): (.+)$`);

/** Every page of the repository, without those of dependencies and generated ones. */
export const PAGES: readonly string[] = globSync(
  ["*.md", ".github/**/*.md", "docs/**/*.md", "{packages,apps}/**/README.md", "benchmarks/**/*.md"],
  { cwd: ROOT, exclude: (name) => /(^|\/)(node_modules|dist|generated)(\/|$)/.test(String(name)) },
).sort();

/** The blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const found: Block[] = [];
  const look = (node: Nodes): void => {
    if (node.type === "code") found.push(blockOf(page, node));
    if ("children" in node) node.children.forEach(look);
  };
  look(fromMarkdown(readFileSync(join(ROOT, page), "utf8")));
  return found;
}

function blockOf(page: string, { lang, meta, value, position }: Code): Block {
  const at = `${page}:${position!.start.line}`;
  const mark = MARK.exec(meta ?? "");
  if (meta && mark === null) {
    throw new Error(
      `${at}: expected a note of the form "WORD: text" with a WORD of ${MARKS.join(", ")}, but received "${meta}"`,
    );
  }
  return {
    at,
    language: lang ?? "",
    mark: mark === null ? null : { word: mark[1]!, text: mark[2]! },
    text: value,
  };
}

const isCode = ({ language }: Block): boolean => language === "ts" || language === "js";

/** Blocks that are one module: a page's, in order, up to one that imports `openEngine` or is marked otherwise. */
export interface Program {
  readonly at: string;
  readonly blocks: readonly Block[];
  /** Why it is compiled and not run; null: it runs. */
  readonly compiled: string | null;
}

/** The programs of a page, without blocks that are files or excerpts of such. */
export function programsOf(page: string): Program[] {
  const blocks = blocksOf(page).filter((block) => isCode(block) && !isFile(block));
  const programs: Block[][] = [];
  for (const block of blocks) {
    const own = programs.at(-1);
    const names = new Set(own?.flatMap(importsOf));
    const isNew =
      /^import .*\bopenEngine\b/m.test(block.text) || importsOf(block).some((name) => names.has(name));
    if (own === undefined || isNew || isCompiled(block) !== isCompiled(own[0]!)) programs.push([block]);
    else own.push(block);
  }
  return programs.map((own) => ({
    at: own[0]!.at,
    blocks: own,
    compiled: isCompiled(own[0]!) ? own[0]!.mark!.text : null,
  }));
}

/** The names that a block imports. A block that imports one again begins a program. */
const importsOf = ({ text }: Block): string[] =>
  [...text.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, names]) => names!.match(/[\w$]+/g) ?? []);

const isCompiled = ({ mark }: Block): boolean => mark?.word === "compiled";
const isFile = ({ mark }: Block): boolean => mark?.word === "file" || mark?.word === "excerpt";
