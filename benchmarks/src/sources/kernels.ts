import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The places of a backend's code, below the root of a checkout. */
interface Folders {
  /** Each algorithm has a folder, or a file, of its name in one of these. */
  readonly kernels: readonly string[];
  /** Files and folders that decide every count, in addition to the files of `kernels` that belong to no algorithm. */
  readonly shared: readonly string[];
}

const FOLDERS: Readonly<Record<string, Folders>> = {
  cpu: { kernels: ["packages/core/src/algorithms/references"], shared: ["packages/core/src/cpu"] },
  piscina: {
    kernels: ["packages/piscina/src/kernels"],
    shared: [
      "packages/piscina/src/counting",
      "packages/piscina/src/worker",
      "packages/piscina/src/platform/device-limits.ts",
    ],
  },
  native: {
    kernels: ["packages/native/src/kernels", "packages/native/native/kernels"],
    shared: [
      "packages/native/native/run",
      "packages/native/native/platform",
      "packages/native/src/platform/limits.ts",
      "packages/native/src/platform/device-limits.ts",
      "packages/native/src/run/prepare.ts",
    ],
  },
  webgpu: {
    kernels: ["packages/webgpu/src/kernels"],
    shared: ["packages/webgpu/src/platform/capabilities.ts"],
  },
  cuda: {
    kernels: ["packages/cuda/src/kernels", "packages/cuda/native/kernels"],
    shared: ["packages/cuda/src/platform/device-limits.ts"],
  },
};

/** Names of the backends that have sources. */
export const BACKENDS: readonly string[] = Object.keys(FOLDERS);

/** Files that check arguments decide no count. */
const CODE = /(\.(ts|wgsl|cuh?|h)|\/(?!check)[^/]*\.cc)$/;
/** Written by the build from the other files. */
const GENERATED = /(^|\/)generated\/|\.d\.ts$/;

interface File {
  readonly name: string;
  readonly text: string;
}

/** Hashes the files that an algorithm's kernels are made of. */
export class KernelHashes {
  readonly #root: string;
  readonly #slugs: readonly string[];
  readonly #files = new Map<string, readonly File[]>();

  /** @param slugs names of all algorithms. Files below other names belong to every algorithm. */
  constructor(root: string, slugs: readonly string[]) {
    this.#root = root;
    this.#slugs = slugs;
  }

  /**
   * Returns the hash of the files of some algorithms and of those that all share; null if the first has no file. It
   * would rather change for nothing than miss a change: comments and formatting make no difference, all else does.
   */
  of(backend: string, algorithms: readonly string[]): string | null {
    const files = this.#of(backend);
    const [own, ...chosen] = algorithms;
    if (!files.some(({ name }) => this.#slugOf(name) === own) && chosen.length === 0) return null;
    const its = new Set(algorithms);
    // A kernel may use the files of another one.
    for (const slug of its) {
      for (const { text } of files.filter(({ name }) => this.#slugOf(name) === slug)) {
        for (const [, path] of text.matchAll(/(?:\bfrom|#include) "([^"]+)"/g)) {
          const other = this.#slugOf(path!);
          if (other !== null) its.add(other);
        }
      }
    }
    const hash = createHash("sha256");
    for (const { name, text } of files) {
      const slug = this.#slugOf(name);
      if (slug === null || its.has(slug)) hash.update(`${name}\0${text}\0`);
    }
    return hash.digest("hex").slice(0, DIGITS);
  }

  #slugOf(path: string): string | null {
    const names = path.split("/").map((part) => part.split(".")[0]!);
    return names.find((name) => this.#slugs.includes(name)) ?? null;
  }

  #of(backend: string): readonly File[] {
    const known = this.#files.get(backend);
    if (known !== undefined) return known;
    const { kernels, shared } = FOLDERS[backend] ?? { kernels: [], shared: [] };
    const patterns = [...kernels, ...shared].map((place) => (CODE.test(place) ? place : `${place}/**/*`));
    const files = globSync(patterns, { cwd: this.#root })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => CODE.test(file) && !GENERATED.test(file))
      .sort()
      .map((name): File => ({ name, text: bare(readFileSync(join(this.#root, name), "utf8")) }));
    this.#files.set(backend, files);
    return files;
  }
}

/** Digits of a hash: enough to tell any two apart. */
const DIGITS = 16;

/** Returns code without comments, and with single spaces. */
function bare(text: string): string {
  return text
    .replaceAll(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$/gm, "")
    .replaceAll(/(^|[ \t])\/\/[ \t][^"'`\n]*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
