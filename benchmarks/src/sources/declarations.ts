/** The languages of kernels and of the code that launches them. */
export type Language = "ts" | "as" | "wgsl" | "cuda";

/** A top-level declaration of a source file, without comments. */
export interface Declaration {
  /** The names that it declares. */
  readonly names: readonly string[];
  /** The text, with single spaces. */
  readonly text: string;
  /** Whether a device starts here. */
  readonly isEntry: boolean;
}

/** Returns the language of a file by its name; null for other files. */
export function languageOf(file: string): Language | null {
  if (/\.d\.ts$/.test(file)) return null;
  if (/\.as\.ts$/.test(file)) return "as";
  if (/\.ts$/.test(file)) return "ts";
  if (/\.wgsl$/.test(file)) return "wgsl";
  return /\.(cuh?|h)$/.test(file) ? "cuda" : null;
}

/**
 * Splits a source file into its top-level declarations. Comments, spaces, imports and includes are left out, so that new
 * words and moved files make no difference. It relies on the formatters: a declaration begins at the start of a line. It
 * ends with a line that also begins there and ends in ";" or "}".
 */
export function declarationsOf(source: string, language: Language): Declaration[] {
  const found: Declaration[] = [];
  let lines: string[] = [];
  /** `#if` and similar lines belong to the next declaration. */
  let conditions: string[] = [];
  const end = () => {
    const text = [...conditions, ...lines].join(" ").replaceAll(/\s+/g, " ").trim();
    const declared = lines.join("\n");
    [lines, conditions] = [[], []];
    if (text === "" || isLink(declared, language)) return;
    const isEntry = /@compute\b|\b__global__\b/.test(declared);
    found.push({ names: namesOf(declared, language), text, isEntry });
  };
  let inMacro = false;
  for (const line of withoutComments(source).split("\n")) {
    if (line.trim() === "") continue;
    if (lines.length === 0 && /^(\}|(inline )?namespace\b.*\{$|extern "C" \{$)/.test(line)) continue;
    if (language === "cuda" && lines.length === 0 && /^#(if|el|endif)/.test(line)) {
      conditions.push(line);
      continue;
    }
    lines.push(line);
    inMacro = (inMacro || /^#/.test(line)) && line.endsWith("\\");
    const isWhole = /^#/.test(lines[0]!) ? !inMacro : /^\S.*[;}]$|^[;}]$/.test(line);
    if (isWhole) end();
  }
  end();
  return found;
}

function withoutComments(source: string): string {
  return source
    .replaceAll("\r", "")
    .replaceAll(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$/gm, "")
    .replaceAll(/^[ \t]*\/\/.*$/gm, "")
    .replaceAll(/[ \t]+\/\/[ \t][^"'`\n]*$/gm, "")
    .replaceAll(/[ \t]+$/gm, "");
}

/** Whether it only refers to other files, or only concerns the compiler. */
function isLink(text: string, language: Language): boolean {
  if (language === "cuda") return /^#(include|pragma|undef)\b/.test(text);
  if (language === "wgsl") return false;
  return (
    /^import\b/.test(text) ||
    /^export (type )?(\{|\*)/.test(text) ||
    /^(export )?(declare )?(interface|type)\b/.test(text)
  );
}

const TS =
  /^(?:@\w+ ?(?:\([^)]*\))?\s*)*(?:export |default |declare |async |abstract )*(?:function\*?|const|let|var|class|enum|namespace)\s+([\w$]+|[[{][^=]*)/;
const WGSL = /\b(?:fn|struct|override|const|alias|var(?:<[^>]*>)?)\s+(\w+)/;

function namesOf(text: string, language: Language): string[] {
  if (language === "wgsl") return list(WGSL.exec(text)?.[1]);
  if (language === "cuda") return namesInCpp(text);
  return list(TS.exec(text)?.[1]);
}

function list(names: string | undefined): string[] {
  return names?.match(/[\w$]+/g) ?? [];
}

/** Returns the names declared in C++: a macro, a type, an alias, or the last name before arguments, a value or a body. */
function namesInCpp(text: string): string[] {
  const macro = /^#\s*define\s+(\w+)/.exec(text);
  if (macro) return [macro[1]!];
  const bare = withoutTemplates(text).replaceAll(/\b(__\w+__|alignas)\s*\([^()]*\)/g, "");
  const alias = /^using\s+(\w+)\s*=/.exec(bare);
  if (alias) return [alias[1]!];
  const type = /^(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(\w+)/.exec(bare);
  const body = /^enum\b[^{]*\{([^}]*)\}/.exec(bare)?.[1] ?? "";
  if (type || body !== "") return [...list(type?.[1]), ...list(body.replaceAll(/=[^,]*/g, ""))];
  const head = /^[^({=;]*/.exec(bare)![0];
  return list(head.match(/[\w:]+\s*(?:\[[^\]]*\]\s*)*$/)?.[0].replace(/\[.*/, ""));
}

/** Removes everything in angle brackets. */
function withoutTemplates(text: string): string {
  let bare = text.replaceAll(/\s+/g, " ").replaceAll(/<<|>>=|<=|>=|->/g, " ");
  for (let before = ""; before !== bare; ) {
    before = bare;
    bare = bare.replace(/<[^<>(){};]*>/g, "");
  }
  return bare.replace(/^(\s*template\s*)+/, "").trim();
}
