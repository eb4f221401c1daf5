// Extracts the words of a source file: docstrings and other comments as pages of Markdown, and string literals that are
// sentences. A data file (JSON) has string literals alone.
import { parseSync, Visitor } from "oxc-parser";

/** A line of a docstring without its star. A tag makes an item of a list, without its type, parameter or code. */
const lineOf = (line) =>
  line
    .replace(/^\s*\*? ?/, "")
    .replace(/^@(?:(?:param|typeParam) (?:\{[^}]*\} )?\S+|throws \S+|\w+(?: \{[^}]*\})?)/, "-");

/** Blanks drawings: paragraphs whose first line is indented, and lines with wide gaps. */
function withoutDrawings(lines) {
  let [isDrawing, isNew] = [false, true];
  return lines.map((line) => {
    if (isNew) isDrawing = /^ {2}/.test(line);
    isNew = line.trim() === "";
    return isDrawing || /\S {3,}\S/.test(line) ? "" : line;
  });
}

/** The docstrings as one page. Every line keeps its number. */
function docstringsOf(text, comments) {
  const page = text.split("\n").map(() => "");
  for (const { type, value, start } of comments) {
    if (type !== "Block" || !value.startsWith("*")) continue;
    const first = text.slice(0, start).split("\n").length - 1;
    const lines = withoutDrawings(value.slice(1).split("\n").map(lineOf));
    for (const [i, line] of lines.entries()) page[first + i] = line;
  }
  return page.join("\n");
}

/** The comments after `//` as one page, without directives for tools. */
function lineCommentsOf(text) {
  const found = text.split("\n").map((line) => /(?:^|\s)\/\/ (.*)$/.exec(line)?.[1] ?? "");
  return withoutDrawings(
    found.map((line) => (/^(?:biome-ignore|@ts-|NOLINT|clang-)/.test(line) ? "" : line)),
  ).join("\n");
}

/** Whether a literal is text: four words or more, and none of the marks that only code has. */
const isSentence = (text) =>
  /\w+ \w+,? \w+,? \w+/.test(text) && !/[;{}=]\s*\n|=>|\w\(\)|^\s*(?:import|fn|let|const) /m.test(text);

/** The words of a file; languages other than TypeScript and JavaScript have line comments alone. */
export function wordsOf(path, text) {
  if (path.endsWith(".json")) {
    const { program } = parseSync("data.mjs", `export default ${text}`);
    return { docstrings: "", comments: "", literals: literalsOf(text, program, "export default ".length) };
  }
  const comments = lineCommentsOf(text);
  if (!/(?<!\.as)\.(?:mjs|tsx?)$/.test(path)) return { docstrings: "", comments, literals: [] };
  const parsed = parseSync(path, text);
  return {
    docstrings: docstringsOf(text, parsed.comments),
    comments,
    literals: literalsOf(text, parsed.program),
  };
}

/** The sentences of a program. `ahead` is the number of letters that the program has before the text. */
function literalsOf(text, program, ahead = 0) {
  const literals = [];
  const add = (start, value) => {
    if (!isSentence(value)) return;
    const before = text.slice(0, start - ahead).split("\n");
    const place = { line: before.length, column: before.at(-1).length + 1 };
    literals.push({ kind: "cell", text: value.replaceAll(/\s/g, " "), placeOf: () => place });
  };
  new Visitor({
    Literal: ({ value, start }) => typeof value === "string" && add(start, value),
    TemplateLiteral: ({ quasis, start }) =>
      add(start, quasis.map(({ value }) => value.cooked ?? "").join("`x`")),
  }).visit(program);
  return literals;
}
