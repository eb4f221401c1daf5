// The site's navigation. The sidebar has the lists of docs/README.md, so a page that is listed there is in the sidebar too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { type Pages, targetOf } from "./pages.ts";
import { REFERENCE, ROOT } from "./paths.ts";

const CONTENTS = "docs/README.md";
const ALGORITHMS = "docs/internals/algorithms/README.md";

export const nav = (pages: Pages): DefaultTheme.NavItem[] => [
  { text: "Start", link: "/start/", activeMatch: "^/start/" },
  { text: "Guides", link: "/contents", activeMatch: "^/(contents|guides/|examples/)" },
  { text: "Reference", link: "/reference/library", activeMatch: "^/reference/" },
  { text: "Compare", link: "/compare/features", activeMatch: "^/compare/" },
  { text: "Papers", link: "/papers", activeMatch: "^/papers" },
  {
    text: "Internals",
    link: "/internals/architecture",
    activeMatch: "^/(internals/|benchmarks|contributing)",
  },
  ...(hasReference(pages) ? [{ text: "API", link: "/api/", activeMatch: "^/api/" }] : []),
  { text: "Benchmarks", link: "/dashboard/", target: "_self" },
  { text: "Playground", link: "/playground" },
];

/** Whether the reference is part of the site. A quick build has none. */
const hasReference = (pages: Pages): boolean => pages.has(`${REFERENCE}/index.md`);

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Links of the reference that are pages: its index lists the entries. */
function linksIn(text: string, source: string, pages: Pages): DefaultTheme.SidebarItem[] {
  return [...text.matchAll(/\[`?([^\]`]+)`?\]\(([^)]+)\)/g)].flatMap(([, name, href]) => {
    const link = targetOf(pages, source, href!);
    return link?.startsWith("/") ? [{ text: name!, link: link.replace(/(?:\bindex)?\.md$/, "") }] : [];
  });
}

/** Groups of the contents: a heading, or a line that ends with a colon, and the list that follows it. */
function groups(pages: Pages): DefaultTheme.SidebarItem[] {
  const parts = read(CONTENTS).split(/^(?:## (.+)|([A-Z].+):)$/m);
  const found: DefaultTheme.SidebarItem[] = [];
  for (let i = 1; i < parts.length; i += 3) {
    const list = parts[i + 2]!.split("\n").filter((line) => line.startsWith("- "));
    // The first link of a line is the page. Its sentence can have others.
    const items = list.flatMap((line) => linksIn(line, CONTENTS, pages).slice(0, 1));
    found.push({ text: parts[i] ?? parts[i + 1]!, items, collapsed: false });
  }
  return found;
}

function algorithms(pages: Pages): DefaultTheme.SidebarItem {
  const rows = read(ALGORITHMS)
    .split("\n")
    .filter((line) => /^\| \[/.test(line));
  return {
    text: "Algorithms",
    link: "/internals/algorithms/",
    items: rows.flatMap((row) => linksIn(row, ALGORITHMS, pages).slice(0, 1)),
    collapsed: true,
  };
}

/** The examples by the titles of their pages. */
function examples(pages: Pages): DefaultTheme.SidebarItem {
  const own = [...pages].filter(([source]) => /^docs\/examples\/.+\/README\.md$/.test(source));
  return {
    text: "Examples",
    link: "/examples/",
    items: own.map(([source, address]) => ({
      text: /^# (.+)$/m.exec(read(source))![1]!,
      link: `/${address.replace(/index\.md$/, "")}`,
    })),
    collapsed: true,
  };
}

export function sidebar(pages: Pages): DefaultTheme.Sidebar {
  const all = [...groups(pages), examples(pages), algorithms(pages)];
  if (!hasReference(pages)) return { "/": all };
  const index = `${REFERENCE}/index.md`;
  const reference = { text: "API", link: "/api/", items: linksIn(read(index), index, pages) };
  return { "/api/": [{ text: "The library by example", link: "/reference/library" }, reference], "/": all };
}
