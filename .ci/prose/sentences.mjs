// Splits a page of Markdown into sentences. Each knows the kind of its block and the position of its characters.
import { toNlcst } from "mdast-util-to-nlcst";
import { ParseEnglish } from "parse-english";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import retextIndefiniteArticle from "retext-indefinite-article";
import retextRepeatedWords from "retext-repeated-words";
import { unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { VFile } from "vfile";
import { LABELS } from "../../.config/prose.mjs";

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter);
const english = unified().use(retextRepeatedWords).use(retextIndefiniteArticle);

const KINDS = { paragraph: "text", heading: "heading", tableCell: "cell" };
/** Words whose article depends on how their letters are read: a u32, an f32. */
const TYPES = /^Unexpected article .* before `[fiu]\d+`/;
/** Text of a paragraph that begins with one of LABELS in bold. */
const isLabelled = ([first]) => first?.type === "strong" && LABELS.test(first.children[0]?.value ?? "");

const STARTS = /^<!-- [\w ]+: /;
const ENDS = /^<!-- (?:\/|end of )/;
/** Prose whose numbers a program writes. */
const [COMPUTED, COMPUTED_ENDS] = [/^<!-- computed: /, /^<!-- \/computed /];

/** Blocks of text outside code, comments, quotations and parts of the page that a program writes. */
function blocksOf(tree) {
  let [generated, computed] = [false, false];
  const blocks = [];
  const heads = new Set();
  visit(tree, (node, _, parent) => {
    if (node.type === "html") {
      if (COMPUTED.test(node.value)) computed = true;
      else if (COMPUTED_ENDS.test(node.value)) computed = false;
      else if (STARTS.test(node.value)) generated = true;
      else if (ENDS.test(node.value)) generated = false;
    }
    if (node.type === "blockquote") return SKIP;
    if (node.type === "table") for (const cell of node.children[0].children) heads.add(cell);
    const kind = KINDS[node.type];
    if (kind === undefined) return undefined;
    const isNote = parent.type === "listItem" || isLabelled(node.children);
    if (!generated) blocks.push({ node, kind: isNote ? "item" : kind, computed, isHead: heads.has(node) });
    return SKIP;
  });
  return blocks;
}

/** The text of a sentence with inline code as `xxx`, and the position of each leaf, at first its block's. */
function readable(sentence, { position: { start } }) {
  let text = "";
  const leaves = [{ at: 0, start }];
  visit(sentence, (node) => {
    if (typeof node.value !== "string") return;
    // Some punctuation, such as the full stop of an abbreviation, has no place of its own.
    if (node.position) leaves.push({ at: text.length, start: node.position.start });
    if (node.type !== "SourceNode") text += node.value;
    else if (node.value.startsWith("`")) text += node.value.replaceAll(/[^`]/g, "x");
  });
  const placeOf = (index) => {
    const leaf = leaves.findLast(({ at }) => at <= index);
    const more = index - leaf.at;
    return { line: leaf.start.line, column: leaf.start.column + more, offset: leaf.start.offset + more };
  };
  return { text: text.replaceAll(/\s/g, " "), placeOf };
}

/** The parser takes a sentence that begins with code or in lower case for the rest of the one before. */
const NEXT = /(?<=[a-z0-9`)\]"”][.!?][)"”]?) +(?=`|polybin\b)/g;

/** The sentences in what the parser took for one. */
function split({ text, placeOf }) {
  const starts = [0, ...[...text.matchAll(NEXT)].map(({ index, 0: { length } }) => index + length)];
  return starts.map((start, i) => ({
    text: text.slice(start, starts[i + 1]).trimEnd(),
    placeOf: (index) => placeOf(index + start),
  }));
}

/** Where a paragraph's own heading ends: `**Bounds.** The counters have 32 bits.` */
const headingEnd = ([first]) => (first?.type === "strong" ? first.position.end.offset : -1);

/**
 * The sentences of a page, and the problems that retext's own rules find.
 *
 * A sentence has a `text`, a function `placeOf(index)` and a `kind`: `text`, `item`, `heading` or `cell`. It is `computed` if
 * a program writes its numbers, and `isHead` in the first row of a table. A slip has a `line`, a `column` and a `message`.
 */
export function readPage(page) {
  const file = new VFile(page);
  const sentences = [];
  for (const { node, kind, computed, isHead } of blocksOf(markdown.parse(file))) {
    if (node.children.length === 0) continue;
    const root = { type: "root", children: [{ ...node, type: "paragraph" }], position: node.position };
    const words = toNlcst(root, file, new ParseEnglish());
    english.runSync(words, file);
    visit(words, "SentenceNode", (sentence) => {
      for (const one of split(readable(sentence, node))) {
        const isHeading = one.placeOf(one.text.length - 1).offset < headingEnd(node.children);
        sentences.push({ kind: isHeading ? "heading" : kind, computed, isHead, ...one });
      }
      return SKIP;
    });
  }
  const slips = file.messages
    .filter(({ reason }) => !TYPES.test(reason))
    .map(({ line, column, reason }) => ({ line, column, message: reason, warning: false }));
  return { sentences, slips };
}
