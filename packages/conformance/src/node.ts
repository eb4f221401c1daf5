// Node's own modules are loaded without an import, so that the suite also loads in a page.
type FileSystem = typeof import("node:fs/promises");
type OperatingSystem = typeof import("node:os");
type Paths = typeof import("node:path");
type Addresses = typeof import("node:url");

interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
}

/** Node's modules for files; null in a browser. */
export interface NodeFiles {
  readonly fs: FileSystem;
  readonly os: OperatingSystem;
  readonly path: Paths;
  readonly url: Addresses;
}

export function nodeFiles(): NodeFiles | null {
  const { process } = globalThis as { process?: NodeProcess };
  const load = (name: string): unknown => process?.getBuiltinModule?.(name);
  const fs = load("node:fs/promises") as FileSystem | undefined;
  if (fs === undefined) return null;
  return {
    fs,
    os: load("node:os") as OperatingSystem,
    path: load("node:path") as Paths,
    url: load("node:url") as Addresses,
  };
}
