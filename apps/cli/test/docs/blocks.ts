import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Code, Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

export const ROOT: string = fileURLToPath(new URL("../../../../", import.meta.url));

/** A fenced block of a page. */
export interface Block {
  /** "docs/api.md:7" */
  readonly at: string;
  /** "ts", "js", "sh", or nothing. */
  readonly language: string;
  /**
   * What its fence says behind the language, a word and a reason or a path:
   * `compiled: it needs a GPU`, `not run: it takes an hour`, `excerpt: packages/core/src/plan.ts`, `file: src/x.ts`.
   */
  readonly mark: { readonly word: string; readonly text: string } | null;
  readonly text: string;
}

/** The pages that people read: not the dependencies', and not what a program writes. */
export const PAGES: readonly string[] = globSync(
  ["*.md", "docs/**/*.md", "{packages,apps}/*/README.md", "benchmarks/README.md"],
  { cwd: ROOT, exclude: (name) => /(^|\/)(node_modules|dist)(\/|$)/.test(String(name)) },
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
  const mark = /^(compiled|not run|excerpt|file): (.+)$/.exec(meta ?? "");
  if (meta && mark === null) throw new Error(`${at}: "${meta}" says nothing that blocks.ts knows`);
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
    const isNew = /^import .*\bopenEngine\b/m.test(block.text);
    if (own === undefined || isNew || isCompiled(block) !== isCompiled(own[0]!)) programs.push([block]);
    else own.push(block);
  }
  return programs.map((own) => ({
    at: own[0]!.at,
    blocks: own,
    compiled: isCompiled(own[0]!) ? own[0]!.mark!.text : null,
  }));
}

const isCompiled = ({ mark }: Block): boolean => mark?.word === "compiled";
const isFile = ({ mark }: Block): boolean => mark?.word === "file" || mark?.word === "excerpt";
