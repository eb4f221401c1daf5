import type { MarkdownRenderer } from "vitepress";

/** A header cell without text names no column, so it becomes a plain cell. */
export function emptyHeaders(md: MarkdownRenderer): void {
  md.core.ruler.push("empty-headers", ({ tokens }) => {
    for (const [i, { type, content }] of tokens.entries()) {
      const [open, close] = [tokens[i - 1], tokens[i + 1]];
      if (type !== "inline" || content !== "" || open?.type !== "th_open") continue;
      open.tag = "td";
      close!.tag = "td";
    }
  });
}
