// The words in a file of TypeScript: its docstrings as a page of Markdown, and the string literals that are sentences.
import { parseSync, Visitor } from "oxc-parser";

/** A line of a docstring without its star and its tag. Drawings, whose words stand apart, are no prose. */
const lineOf = (line) => {
  const words = line.replace(/^\s*\*? ?/, "").replace(/^@\w+ (?:\{[^}]*\} )?(?:[A-Z]+_[A-Z_]+ )?/, "");
  return /\S {3,}\S/.test(words) ? "" : words;
};

/** The docstrings as one page: every line is where it is in the file. */
function docstringsOf(text, comments) {
  const lines = text.split("\n").map(() => "");
  for (const { type, value, start } of comments) {
    if (type !== "Block" || !value.startsWith("*")) continue;
    const first = text.slice(0, start).split("\n").length - 1;
    for (const [i, line] of value.slice(1).split("\n").entries()) lines[first + i] = lineOf(line);
  }
  return lines.join("\n");
}

/** Text, not code: four words and none of the marks that only code has. */
const isSentence = (text) =>
  /\w+ \w+,? \w+,? \w+/.test(text) && !/[;{}=]\s*\n|=>|\w\(\)|^\s*(?:import|fn|let|const) /m.test(text);

export function wordsOf(path, text) {
  const { program, comments } = parseSync(path, text);
  const literals = [];
  const add = (start, value) => {
    if (!isSentence(value)) return;
    const before = text.slice(0, start).split("\n");
    const place = { line: before.length, column: before.at(-1).length + 1 };
    literals.push({ kind: "cell", text: value.replaceAll(/\s/g, " "), placeOf: () => place });
  };
  new Visitor({
    Literal: ({ value, start }) => typeof value === "string" && add(start, value),
    TemplateLiteral: ({ quasis, start }) =>
      add(start, quasis.map(({ value }) => value.cooked ?? "").join("`x`")),
  }).visit(program);
  return { docstrings: docstringsOf(text, comments), literals };
}
