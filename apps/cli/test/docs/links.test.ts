// Every link of every page to a file of this repository, relative or by the address that npm shows, leads to a file and
// a heading that exist.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { PAGES, ROOT } from "./blocks.ts";

const ON_GITHUB =
  /^https:\/\/(?:github\.com\/polybin\/polybin\/(?:blob|tree)|raw\.githubusercontent\.com\/polybin\/polybin)\/main\//;

function* nodesOf(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* nodesOf(child);
}

const nodesIn = (page: string): Nodes[] => [...nodesOf(fromMarkdown(readFileSync(join(ROOT, page), "utf8")))];

const textOf = (node: Nodes): string =>
  "value" in node ? node.value : "children" in node ? node.children.map(textOf).join("") : "";

const anchors = new Map<string, ReadonlySet<string>>();

/** The anchors of a page: those that GitHub makes of headings, and those that the page sets. */
function anchorsOf(page: string): ReadonlySet<string> {
  const known = anchors.get(page);
  if (known !== undefined) return known;
  const found = nodesIn(page).flatMap((node) => {
    if (node.type === "html") return [...node.value.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    if (node.type !== "heading") return [];
    const plain = textOf(node).toLowerCase();
    return [plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-")];
  });
  anchors.set(page, new Set(found));
  return anchors.get(page)!;
}

/** What is wrong with a link, or null. */
function faultOf(page: string, url: string): string | null {
  if (/^[a-z]+:/.test(url) && !ON_GITHUB.test(url)) return null;
  const isAbsolute = ON_GITHUB.test(url);
  const [path, anchor] = decodeURI(url.replace(ON_GITHUB, "")).split("#");
  const target = path === "" ? page : isAbsolute ? path! : relative(ROOT, join(ROOT, dirname(page), path!));
  if (!existsSync(join(ROOT, target))) return `${page}: ${url} leads to no file`;
  if (anchor === undefined || !target.endsWith(".md")) return null;
  return anchorsOf(target).has(anchor) ? null : `${page}: ${url} leads to no heading`;
}

test("every link leads somewhere", () => {
  const links = PAGES.flatMap((page) =>
    nodesIn(page).flatMap((node) =>
      node.type === "link" || node.type === "image" ? [{ page, url: node.url }] : [],
    ),
  );
  expect(links.length).toBeGreaterThan(200);
  expect(links.map(({ page, url }) => faultOf(page, url)).filter((fault) => fault !== null)).toEqual([]);
});

test("a link to nowhere is noticed", () => {
  expect(faultOf("docs/reference/library.md", "nowhere.md")).toMatch("no file");
  expect(faultOf("docs/reference/library.md", "packages.md#nowhere")).toMatch("no heading");
  expect(
    faultOf("docs/reference/library.md", "https://github.com/polybin/polybin/blob/main/nowhere.md"),
  ).toMatch("no file");
  expect(faultOf("docs/reference/library.md", "https://example.com/nowhere")).toBeNull();
});
