import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import type { Block, Program } from "./blocks.ts";
import { ROOT } from "./blocks.ts";

export const run: typeof execFile.__promisify__ = promisify(execFile);
const TSC: string = join(ROOT, "node_modules", ".bin", "tsc");

/** A folder outside the repository in which the workspace's packages are found, by the cli's own dependencies. */
export function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "polybin-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(ROOT, "apps", "cli", "node_modules"), join(folder, "node_modules"));
  write(folder, "package.json", '{ "type": "module" }\n');
  return folder;
}

export function write(folder: string, path: string, text: string): string {
  const to = join(folder, path);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
  return to;
}

/** What programs of documentation are compiled with: as people try things out, not as a library is built. */
const COMPILER_OPTIONS = {
  noEmit: true,
  target: "esnext",
  lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
  module: "nodenext",
  moduleDetection: "force",
  strict: false,
  skipLibCheck: true,
  allowJs: true,
  checkJs: true,
  allowImportingTsExtensions: true,
  types: ["node", join(ROOT, "packages", "webgpu", "node_modules", "@webgpu", "types")],
};

/** Compiles all of a folder. Resolves to what the compiler says, nothing where all is well. */
export async function compile(folder: string): Promise<string> {
  write(
    folder,
    "tsconfig.json",
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, exclude: ["node_modules"] }),
  );
  const { stdout } = await run(TSC, ["-p", "."], { cwd: folder }).catch((error) => error);
  return stdout;
}

/** The text of a program as one module; of blocks that are marked as not run nothing. */
export const moduleOf = ({ blocks }: Program): string =>
  blocks
    .filter(({ mark }) => mark?.word !== "not run")
    .map(({ at, text }) => `// ${at}\n${text}`)
    .join("\n\n");

/**
 * The same with each value that a comment tells compared with what the expression before it is, and what is printed
 * with the comment behind `console.log`.
 */
export function checkedModuleOf({ blocks }: Program): { readonly text: string; readonly values: number } {
  let values = 0;
  const checked = (block: Block): string =>
    block.text
      .split("\n")
      .map((line, i) => {
        const at = JSON.stringify(`${block.at}, line ${i + 1}`);
        const printed = /^console\.log\((.*)\); \/\/ (.+)$/.exec(line);
        if (printed !== null) {
          values += 1;
          return `equal([${printed[1]}].join(" "), ${JSON.stringify(printed[2])}, ${at});`;
        }
        const told = /^((?!import |const |let |await |console\.|[ })/]).+); \/\/ (.+)$/.exec(line);
        if (told === null) return line;
        values += 1;
        return `equal((${told[1]}), (${told[2]}), ${at});`;
      })
      .join("\n");
  const text = blocks
    .filter(({ mark }) => mark?.word !== "not run")
    .map(checked)
    .join("\n\n");
  return { text: `import { deepStrictEqual as equal } from "node:assert";\n\n${text}\n`, values };
}
