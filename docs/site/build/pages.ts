// Which files of the repository are pages of the site, and their addresses.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { REFERENCE, ROOT, SITE } from "./paths.ts";

/** The repository on GitHub, where files that are no pages are. */
export const REPOSITORY = "https://github.com/polybin/polybin";

/** Pages outside `docs`, by their addresses. */
const OTHERS: Readonly<Record<string, string>> = {
  "CONTRIBUTING.md": "contributing.md",
  "apps/cli/README.md": "reference/command.md",
  "benchmarks/README.md": "benchmarks.md",
  "benchmarks/papers/README.md": "papers.md",
  "benchmarks/papers/methods.md": "papers/methods.md",
};

/** Pages of the site alone. */
const OWN: readonly string[] = ["index.md", "playground.md"].map((name) => `${SITE}/${name}`);

/** The site, as a map from the source of each page to its address, such as "docs/start/README.md" to "start/index.md". */
export type Pages = ReadonlyMap<string, string>;

/** Finds all pages. The reference must have been written, if it is part of the site. */
export function findPages(hasReference: boolean): Pages {
  const docs = globSync("docs/**/*.md", {
    cwd: ROOT,
    exclude: (path) => /(^|\/)node_modules$|^docs\/site$/.test(path),
  });
  const reference = hasReference ? globSync(`${REFERENCE}/**/*.md`, { cwd: ROOT }) : [];
  return new Map([
    ...[...docs, ...OWN].map((source) => [source, addressOf(source)] as const),
    ...Object.entries(OTHERS),
    ...reference.map((source) => [source, referenceAddress(source)] as const),
  ]);
}

function addressOf(source: string): string {
  if (source === "docs/README.md") return "contents.md";
  return source.replace(/^docs\/(?:site\/)?/, "").replace(/README\.md$/, "index.md");
}

/** The address of a page of the reference is what its first heading says, which is what one imports. */
function referenceAddress(source: string): string {
  if (source === `${REFERENCE}/index.md`) return "api/index.md";
  const [, name] = /^# (?:@polybin\/)?(\S+)$/m.exec(readFileSync(join(ROOT, source), "utf8")) ?? [];
  if (name === undefined) throw new Error(`${source}: expected the name of a package in the heading`);
  return `api/${name}.md`;
}

/**
 * Returns where a link of a page leads: to the address of a page, or to a file on GitHub. Null: it is no link to a
 * file of the repository.
 */
export function targetOf(pages: Pages, source: string, href: string): string | null {
  const [, path, rest] = /^([^#?]*)(.*)$/s.exec(href)!;
  if (path === "" || /^([a-z]+:|\/)/i.test(path!)) return null;
  const target = join(dirname(source), decodeURI(path!)).replace(/\/$/, "");
  const address = pages.get(target) ?? pages.get(`${target}/README.md`);
  if (address !== undefined) return `/${address}${rest}`;
  const kind = /\.\w+$/.test(target) ? "blob" : "tree";
  return `${REPOSITORY}/${kind}/main/${encodeURI(target)}${rest}`;
}
