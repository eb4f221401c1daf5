// `node .ci/prose.mjs [FILE or FOLDER…]` in the root: checks pages, comments and messages against
// docs/internals/style.md. Without arguments, it reads all files that .config/prose.mjs names. --warnings also prints warnings: long sentences.
import { globSync, readFileSync, statSync } from "node:fs";
import { matchesGlob, relative, sep } from "node:path";
import { NEVER, PAGES, SOURCES } from "../.config/prose.mjs";
import { problemsOf } from "./prose/rules.mjs";
import { readPage } from "./prose/sentences.mjs";
import { wordsOf } from "./prose/sources.mjs";

/** The problems in the words of a file, in order: `{ line, column, message, warning }`. */
export function proseProblems(path, text) {
  const problemsIn = (page, medium) => {
    const { sentences, slips } = readPage(page);
    return [
      ...(medium === "comment" ? [] : slips),
      ...sentences.flatMap((sentence) => problemsOf(sentence, medium)),
    ];
  };
  if (path.endsWith(".md")) return inOrder(problemsIn(text, "page"));
  const { docstrings, comments, literals } = wordsOf(path, text);
  return inOrder([
    ...problemsIn(docstrings, "docstring"),
    ...problemsIn(comments, "comment"),
    ...literals.flatMap((sentence) => problemsOf(sentence, "literal")),
  ]);
}

const inOrder = (problems) => problems.sort((a, b) => a.line - b.line || a.column - b.column);

/** All files that follow the style, or those of them in the named folders, and every named file. */
function filesOf(named) {
  const all = globSync([...PAGES, ...SOURCES])
    .filter((path) => !NEVER.some((pattern) => matchesGlob(path, pattern)))
    .sort();
  if (named.length === 0) return all;
  return named.flatMap((path) => {
    const folder = `${relative(".", path)}${sep}`;
    return statSync(path).isDirectory() ? all.filter((file) => file.startsWith(folder)) : path;
  });
}

function main(args) {
  const files = filesOf(args.filter((arg) => !arg.startsWith("--")));
  const counts = { errors: 0, warnings: 0 };
  for (const path of files) {
    for (const { line, column, message, warning } of proseProblems(path, readFileSync(path, "utf8"))) {
      counts[warning ? "warnings" : "errors"] += 1;
      if (warning && !args.includes("--warnings")) continue;
      console.log(`${path}:${line}:${column} ${warning ? "warning: " : ""}${message}`);
    }
  }
  console.log(`${files.length} files, ${counts.errors} errors, ${counts.warnings} warnings`);
  return counts.errors === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
