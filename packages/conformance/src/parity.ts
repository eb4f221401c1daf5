import { type Case, Skip } from "./case.ts";
import { nodeFiles } from "./node.ts";

/**
 * Files of a kernel folder that are no kernels, by the part of their name before the first dot. A backend
 * that shares more between its kernels names it in `helpers`.
 */
export const KERNEL_HELPERS: readonly string[] = ["index", "limits", "lower", "memory", "shared"];

/** Slugs without a kernel of their own: core deals them out to the kernels of others. */
const COMPOSED: readonly string[] = ["weighted-hybrid"];

declare global {
  /** For programs without the types of a page or Node; with them it merges with the real one. */
  interface URL {}
}

/** Where a backend's kernels are: its `src/kernels` as a file: URL, or the names of the files in it. */
export type KernelFolder = URL | readonly string[];

/**
 * Compares the slugs that a backend claims with its kernel files, `<slug>.*`.
 * @returns a sentence for each claim without a kernel and each kernel without a claim.
 */
export function parityProblems(
  claims: readonly string[],
  files: readonly string[],
  helpers: readonly string[] = [],
): string[] {
  const allowed = [...KERNEL_HELPERS, ...helpers];
  const stems = new Set(files.map(stemOf));
  return [
    ...claims
      .filter((slug) => !stems.has(slug) && !COMPOSED.includes(slug))
      .map((slug) => `${slug} is claimed but no ${slug}.* is there`),
    ...files
      .filter((file) => !claims.includes(stemOf(file)) && !allowed.includes(stemOf(file)))
      .map((file) => `${file} is no kernel of a claimed slug, nor one of the helpers ${allowed.join(", ")}`),
  ];
}

function stemOf(file: string): string {
  return file.slice(0, file.includes(".") ? file.indexOf(".") : undefined);
}

/** The case that a suite gains when it is told where the kernels are. */
export function parityCase(
  claims: readonly string[],
  folder: KernelFolder,
  helpers: readonly string[] = [],
): Case {
  return {
    topic: "claims",
    name: "every claimed slug has its kernel file, every kernel file its claim",
    async run({ check }) {
      const problems = parityProblems(claims, await filesIn(folder), helpers);
      check.ok(problems.join("\n"), problems.length === 0);
    },
  };
}

async function filesIn(folder: KernelFolder): Promise<readonly string[]> {
  if (!(folder instanceof URL)) return folder;
  const node = nodeFiles();
  if (node === null) throw new Skip("folders can only be read in Node; pass the names of the files");
  return node.fs.readdir(folder);
}
