// Every link of a page to a file or a heading of this repository has a target.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { PAGES, ROOT } from "./blocks.ts";

const read = (page: string): Nodes => fromMarkdown(readFileSync(join(ROOT, page), "utf8"));

function* nodesOf(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* nodesOf(child);
}

const textOf = (node: Nodes): string =>
  "value" in node ? node.value : "children" in node ? node.children.map(textOf).join("") : "";

/** A heading's anchor as GitHub makes it. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const anchors = new Map<string, ReadonlySet<string>>();

function anchorsOf(page: string): ReadonlySet<string> {
  const known = anchors.get(page);
  if (known !== undefined) return known;
  const nodes = [...nodesOf(read(page))];
  const headings = nodes.filter(({ type }) => type === "heading").map((node) => anchorOf(textOf(node)));
  const html = nodes.filter((node) => node.type === "html").map(({ value }) => value);
  const named = html.flatMap((value) =>
    [...value.matchAll(/ (?:id|name)="([^"]+)"/g)].map((found) => found[1]!),
  );
  const found = new Set([...headings, ...named]);
  anchors.set(page, found);
  return found;
}

/** What is wrong with a link of a page, or null. */
function problemOf(page: string, url: string): string | null {
  if (/^[a-z]+:/.test(url)) return null;
  const [path, anchor] = url.split("#");
  const target = path === "" ? page : join(dirname(page), decodeURI(path!));
  if (!existsSync(join(ROOT, target))) return "no such file";
  if (anchor === undefined || statSync(join(ROOT, target)).isDirectory() || !target.endsWith(".md"))
    return null;
  return anchorsOf(target).has(anchor) ? null : "no such heading";
}

test("every link to a file or a heading of this repository has a target", () => {
  const links = PAGES.flatMap((page) =>
    [...nodesOf(read(page))].flatMap((node) =>
      node.type === "link" || node.type === "image" || node.type === "definition"
        ? [{ page, url: node.url }]
        : [],
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  const broken = links.flatMap(({ page, url }) => {
    const problem = problemOf(page, url);
    return problem === null ? [] : [`${page}: ${url}: ${problem}`];
  });
  expect(broken).toEqual([]);
});

test("a link to a heading or a file that does not exist is found", () => {
  expect(problemOf("README.md", "docs/api.md#counters")).toBeNull();
  expect(problemOf("README.md", "docs/api.md#no-such")).toBe("no such heading");
  expect(problemOf("docs/api.md", "no-such.md")).toBe("no such file");
});
