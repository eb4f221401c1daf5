import { type Declaration, declarationsOf, type Language } from "./declarations.ts";

/** A source file of a backend. */
export interface Source {
  /** Its path, which only decides the algorithm that it belongs to. */
  readonly path: string;
  readonly language: Language;
  readonly text: string;
}

/** Starting points in addition to an algorithm's own files. */
export interface Roots {
  /** Names that every count of a backend uses. */
  readonly names?: readonly string[];
  /** Names of files with programs that belong to no algorithm and do not count. */
  readonly aside?: readonly string[];
}

/** A file, split into declarations. */
interface File {
  readonly path: string;
  readonly language: Language;
  readonly text: string;
  /** The algorithm whose folder or file it is; null if all share it. */
  readonly of: string | null;
  /** Whether a device starts in it. Its names are then private. */
  readonly isProgram: boolean;
  readonly nodes: readonly Node[];
  /** Names that it imports; null if its language lets it refer to any. */
  readonly imports: ReadonlySet<string> | null;
}

interface Node extends Declaration {
  readonly file: () => File;
}

/** Splits a path into names without extensions: `kernels/trish/bytes.wgsl` has "kernels", "trish" and "bytes". */
function stemsOf(path: string): string[] {
  return path.split("/").map((part) => part.split(".")[0]!);
}

/** A constant's name in every language, or the name of code that the build writes into another language. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;
const WRITTEN = /^[A-Z]/;

/** Names in quotes, which may name the files of a kernel. */
const QUOTED = /(["'])([\w./-]+)\1/g;

/**
 * A graph of declarations. They are reached from one another by name, and file by file where a kernel's launch names its
 * texts. Paths do not matter, except that an algorithm's files lie in a folder or a file of its name.
 */
export class Reach {
  readonly #files: readonly File[];
  readonly #slugs: readonly string[];

  /** @param slugs all algorithms. Only an algorithm itself reaches its own declarations. */
  constructor(sources: readonly Source[], slugs: readonly string[]) {
    this.#slugs = slugs;
    this.#files = sources.map(({ path, language, text }): File => {
      const declared = declarationsOf(text, language);
      const of = stemsOf(path).find((stem) => slugs.includes(stem)) ?? null;
      const nodes = declared.map((one): Node => ({ ...one, file: () => file }));
      const isProgram = declared.some((one) => one.isEntry);
      const file: File = { path, language, text, of, isProgram, nodes, imports: importsOf(text, language) };
      return file;
    });
  }

  /** Returns the texts of all declarations that an algorithm reaches, in an order independent of paths; null if it has no file. */
  of(slug: string, { names = [], aside = [] }: Roots = {}): string[] | null {
    const own = new Set([slug, ...this.#borrowed(slug)]);
    const first = this.#files.filter(({ of }) => of !== null && own.has(of));
    if (first.length === 0) return null;
    const named = names.flatMap((name) => this.#named(name, own, "ts"));
    if (named.length < names.length) throw new Error(`expected declarations of ${names.join(", ")}`);
    const reached = new Set<Node>();
    const open = [...[...first, ...this.#steps(aside)].flatMap(({ nodes }) => nodes), ...named];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (reached.has(node)) continue;
      reached.add(node);
      open.push(...this.#next(node, own));
    }
    return [...new Set([...reached].map((node) => this.#unplaced(node)))].sort();
  }

  /** Lists programs that belong to no algorithm and that no algorithm includes. */
  #steps(aside: readonly string[]): File[] {
    const parts = new Set(
      this.#files
        .filter(({ of }) => of !== null)
        .flatMap(({ nodes }) => nodes.flatMap((node) => this.#parts(node))),
    );
    return this.#files.filter(
      (file) =>
        file.of === null &&
        file.isProgram &&
        !parts.has(file) &&
        !stemsOf(file.path).some((stem) => aside.includes(stem)),
    );
  }

  /** Algorithms whose files those of this one import or include. */
  #borrowed(slug: string): string[] {
    const own = this.#files.filter(({ of }) => of === slug);
    return own.flatMap(({ text }) =>
      [...text.matchAll(/(?:\bfrom|#include) "([^"]+)"/g)]
        .flatMap(([, path]) => stemsOf(path!))
        .filter((stem) => this.#slugs.includes(stem)),
    );
  }

  #next(node: Node, own: ReadonlySet<string>): Node[] {
    const { language, nodes, imports } = node.file();
    const found = mentionsOf(node).flatMap((name) => {
      const here = nodes.filter(({ names }) => names.includes(name));
      if (here.length > 0) return here;
      const there = imports?.has(name) === false ? [] : this.#named(name, own, language);
      // Constants and structs may be declared with a kernel's launch, and written into its language by the build.
      return there.length === 0 && language !== "ts" && WRITTEN.test(name)
        ? this.#named(name, own, "ts")
        : there;
    });
    if (language !== "ts") return found;
    // WebAssembly's functions are members of an instance, and some of their names are assembled at run time.
    const members = [...node.text.matchAll(/\.([\w$]+)/g)].map(([, name]) => name!);
    const prefixes = [...node.text.matchAll(/`(\w+_)\$\{/g)].map(([, prefix]) => prefix!);
    const built = this.#files
      .filter((file) => file.language === "as" && isOpen(file, own))
      .flatMap((file) => file.nodes)
      .filter(({ names }) => names.some((name) => prefixes.some((prefix) => name.startsWith(prefix))));
    const parts = this.#parts(node).filter((file) => file.of === null || own.has(file.of));
    return [
      ...found,
      ...members.flatMap((name) => this.#named(name, own, "as")),
      ...members.filter((name) => CONSTANT.test(name)).flatMap((name) => this.#named(name, own, "ts")),
      ...built,
      ...parts.flatMap((file) => file.nodes),
    ];
  }

  /** Finds a name in an algorithm's own files, else in those that all share. */
  #named(name: string, own: ReadonlySet<string>, language: Language): Node[] {
    const all = this.#files
      .filter((file) => file.language === language && isOpen(file, own))
      .flatMap(({ nodes }) => nodes.filter(({ names }) => names.includes(name)));
    const ours = all.filter((node) => node.file().of !== null);
    return ours.length > 0 ? ours : all;
  }

  /** Finds the device texts that a declaration names. */
  #parts(node: Node): File[] {
    if (node.file().language !== "ts") return [];
    return [...node.text.matchAll(QUOTED)].flatMap(([, , name]) => this.#partsNamed(name!));
  }

  #partsNamed(name: string): File[] {
    return this.#files.filter(({ path, language }) => {
      const place = path.replace(/\.\w+$/, "");
      return (language === "wgsl" || language === "cuda") && (place === name || place.endsWith(`/${name}`));
    });
  }

  /** Returns a declaration's text without names of files. */
  #unplaced(node: Node): string {
    if (node.file().language !== "ts") return node.text;
    return node.text.replaceAll(QUOTED, (all, _quote, name) =>
      name.includes("/") && this.#partsNamed(name).length > 0 ? '"…"' : all,
    );
  }
}

function importsOf(text: string, language: Language): ReadonlySet<string> | null {
  if (language !== "ts" && language !== "as") return null;
  const imports = text.match(/^import\b[^;]*;/gm) ?? [];
  return new Set(imports.flatMap((one) => one.replace(/\bfrom\b.*$/s, "").match(/[\w$]+/g) ?? []));
}

/** Whether an algorithm may refer to a file's declarations. */
function isOpen({ of, isProgram }: File, own: ReadonlySet<string>): boolean {
  return of === null ? !isProgram : own.has(of);
}

/** Lists all names in a declaration, except members and its own name. */
function mentionsOf({ text, names }: Declaration): string[] {
  const all = new Set([...text.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g)].map(([name]) => name));
  return [...all].filter((name) => !names.includes(name));
}
