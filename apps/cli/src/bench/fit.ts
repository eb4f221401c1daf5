import { wrapAnsi } from "fast-wrap-ansi";

/** Descriptions with less room than this start below their term. */
const LEAST_ROOM = 36;
const BELOW = "      ";

/** A paragraph (`indent` 0), or a term and its description, which starts at a column. */
interface Item {
  readonly term: string;
  readonly column: number;
  text: string;
}

/** A term and two blanks or more, then the description. A line without a term is a paragraph or goes on. */
const TERM = /^( {2}\S.*?) {2,}(?=\S)/;

/** A comment of an example. The line below it is a command. */
const COMMENT = /^ *# /;

/** Wraps help that was laid out for a wider terminal: paragraphs, and terms with descriptions in a column. */
export function fitted(help: string, width: number): string {
  if (help.split("\n").every((line) => line.length <= width)) return help;
  const items: Item[] = [];
  let isCommand = false;
  for (const line of help.split("\n")) {
    const isComment = COMMENT.test(line);
    const isExample = isComment || isCommand;
    isCommand = isComment;
    const { 0: start, 1: term } = TERM.exec(line) ?? [];
    const last = items.at(-1);
    const column = line.search(/\S/);
    if (start !== undefined && !isExample)
      items.push({ term: term!, column: start.length, text: line.slice(start.length) });
    else if (!isExample && column >= 0 && last !== undefined && last.text !== "" && column === last.column) {
      last.text += ` ${line.trim()}`;
    } else items.push({ term: "", column: Math.max(0, column), text: line.trim() });
  }
  return items.map((item) => laidOut(item, width)).join("\n");
}

function laidOut({ term, column, text }: Item, width: number): string {
  if (width - column < LEAST_ROOM && term !== "") return `${term}\n${block(text, BELOW, width)}`;
  const lines = block(text, " ".repeat(width - column < LEAST_ROOM ? 0 : column), width);
  return term === "" ? lines : term.padEnd(column) + lines.slice(column);
}

function block(text: string, indent: string, width: number): string {
  return wrapAnsi(text, width - indent.length).replaceAll(/^(?=.)/gm, indent);
}
