import { relative } from "node:path/posix";
import type { MarkdownRenderer } from "vitepress";
import { type Pages, targetOf } from "./pages.ts";
import { ROOT } from "./paths.ts";

/** The file of a page in the environment of the Markdown renderer. The search index has no `realPath`, a title neither. */
interface Environment {
  readonly path?: string;
  readonly realPath?: string;
}

/** The source of the page that is rendered, below the repository's folder. Empty: no page is rendered. */
export const sourceOf = ({ path = ROOT, realPath = path }: Environment): string => relative(ROOT, realPath);

/** Turns the links between files of the repository into links between pages of the site, or to GitHub. */
export function linksBetweenPages(md: MarkdownRenderer, pages: Pages): void {
  md.core.ruler.push("links-between-pages", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== "link_open") continue;
      const target = targetOf(pages, sourceOf(env), token.attrGet("href")!);
      if (target !== null) token.attrSet("href", target);
    }
  });
}

/** VitePress makes the anchor of a link one of a heading. Anchors that a page sets itself, with dots, stay as they are. */
export function anchorsAsWritten(md: MarkdownRenderer): void {
  const render = md.renderer.rules.link_open!;
  md.renderer.rules.link_open = (tokens, index, ...rest) => {
    const [anchor] = /#.*$/.exec(tokens[index]!.attrGet("href")!) ?? [];
    const html = render(tokens, index, ...rest);
    return anchor === undefined ? html : html.replace(/#[^"]*/, anchor);
  };
}

/** The name that GitHub gives to a heading's anchor. Links within the pages use these names. */
export const githubSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
