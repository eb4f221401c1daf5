import { stripTypeScriptTypes } from "node:module";

/** A source file with one numeric literal changed by one. */
export interface Mutant {
  /** "line 9: 255 -> 256". */
  readonly name: string;
  readonly source: string;
}

/** Every numeric literal of a TypeScript source that exists at run time, once more and once less. */
export function mutantsOf(source: string): Mutant[] {
  // Types and comments become blanks, so that places stay; a name such as U8_MAX holds no literal.
  const code = stripTypeScriptTypes(source).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) =>
    comment.replaceAll(/[^\n]/g, " "),
  );
  const out: Mutant[] = [];
  for (const { 0: literal, index } of code.matchAll(/(?<![\w.$])\d[\d_]*/g)) {
    const line = source.slice(0, index).split("\n").length;
    for (const by of [1, -1]) {
      const changed = String(Number(literal.replaceAll("_", "")) + by);
      out.push({
        name: `line ${line}: ${literal} -> ${changed}`,
        source: source.slice(0, index) + changed + source.slice(index + literal.length),
      });
    }
  }
  return out;
}
