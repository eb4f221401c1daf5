import { stripTypeScriptTypes } from "node:module";

/** A source file with one numeric literal changed by one. */
export interface Mutant {
  /** "line 9: 255 -> 256". */
  readonly name: string;
  readonly source: string;
}

/**
 * What owns a number: an exported constant in capitals, or a function of the arithmetic on them. What else a file holds,
 * such as an algorithm's rule, has tests of its own.
 */
const OWNED =
  /^export (?:const [A-Z][A-Z0-9_]*\b[^;]*;|function (?:counterMax|divideCeiling|trishLoops|rowSumEfficiency)\b[\s\S]*?^\})/gm;

/** The files of core that own numbers, beneath `src`. */
export const OWNERS: readonly string[] = ["*/limits.ts", "algorithms/*.ts", "algorithms/lib/limits.ts"];

/** Every numeric literal of a file's own numbers that exists at run time, once more and once less. */
export function mutantsOf(source: string): Mutant[] {
  // Types and comments become blanks, so that places stay; a name such as U8_MAX holds no literal.
  const code = stripTypeScriptTypes(source).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) =>
    comment.replaceAll(/[^\n]/g, " "),
  );
  const out: Mutant[] = [];
  for (const owned of code.matchAll(OWNED)) {
    for (const { 0: literal, index: at } of owned[0].matchAll(/(?<![\w.$])\d[\d_]*/g)) {
      const index = owned.index + at;
      const line = source.slice(0, index).split("\n").length;
      for (const by of [1, -1]) {
        const changed = String(Number(literal.replaceAll("_", "")) + by);
        out.push({
          name: `line ${line}: ${literal} -> ${changed}`,
          source: source.slice(0, index) + changed + source.slice(index + literal.length),
        });
      }
    }
  }
  return out;
}

/**
 * What a file's source exports, its imports taken as the tests have loaded them. A mutant that Node itself imported would
 * load them a second time, next to those that the tests have loaded.
 */
export async function exportsOf(source: string, file: URL): Promise<Readonly<Record<string, unknown>>> {
  const paths: string[] = [];
  const names: string[] = [];
  const code = stripTypeScriptTypes(source)
    .replaceAll(/^import (\{[^}]*\}) from "([^"]*)";/gm, (_, taken: string, path: string) => {
      const at = paths.push(path.startsWith(".") ? new URL(path, file).href : path) - 1;
      return `const ${taken.replaceAll(" as ", ": ")} = imported[${at}];`;
    })
    .replaceAll(/^export (const|function) (\w+)/gm, (_, kind: string, name: string) => {
      names.push(name);
      return `${kind} ${name}`;
    });
  const imported = await Promise.all(paths.map((path) => import(/* @vite-ignore */ path)));
  return new Function("imported", `"use strict"; ${code}\nreturn { ${names.join(", ")} };`)(imported);
}
