import type { Backend } from "@polybin/core";
import { isComposed } from "@polybin/core/backend";
import { type Case, Skip } from "./case.ts";
import { nodeFiles } from "./node.ts";

/**
 * Files of a kernel folder that are no kernels, by the part of their name before the first dot. A backend
 * that shares more between its kernels names it in `helpers`.
 */
export const KERNEL_HELPERS: readonly string[] = [
  "generated",
  "index",
  "lib",
  "limits",
  "lower",
  "memory",
  "shared",
];

/** What a backend claims: an algorithm, weighted or not. */
export type Claim = Backend["algorithms"][number] | NonNullable<Backend["weighted"]>[number];

declare global {
  /** For programs without the types of a page or Node; with them it merges with the real one. */
  interface URL {}
}

/** Where a backend's kernels are: its `src/kernels` as a file: URL, or the names of the files and folders in it. */
export type KernelFolder = URL | readonly string[];

/**
 * Compares what a backend claims with its kernels: files `<slug>.*`, or a folder `<slug>`. A composed algorithm needs none:
 * core deals its features out to the kernels of others.
 * @returns a sentence for each claim without a kernel and each kernel without a claim.
 */
export function parityProblems(
  claims: readonly Claim[],
  files: readonly string[],
  helpers: readonly string[] = [],
): string[] {
  const allowed = [...KERNEL_HELPERS, ...helpers];
  const stems = new Set(files.map(stemOf));
  const slugs = new Set(claims.map(({ slug }) => slug));
  return [
    ...claims
      .filter((claim) => !stems.has(claim.slug) && !("candidates" in claim && isComposed(claim)))
      .map(({ slug }) => `${slug} is claimed but no ${slug}.* and no folder ${slug} is there`),
    ...files
      .filter((file) => !slugs.has(stemOf(file)) && !allowed.includes(stemOf(file)))
      .map((file) => `${file} is no kernel of a claimed slug, nor one of the helpers ${allowed.join(", ")}`),
  ];
}

function stemOf(file: string): string {
  return file.slice(0, file.includes(".") ? file.indexOf(".") : undefined);
}

/** The case that a suite gains when it is told where the kernels are. */
export function parityCase(
  claims: readonly Claim[],
  folder: KernelFolder,
  helpers: readonly string[] = [],
): Case {
  return {
    topic: "claims",
    name: "every claimed slug has its kernel file or folder, every kernel file its claim",
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
  const { fs, path, url } = node;
  const found = await fs.readdir(folder, { withFileTypes: true });
  const kept = await Promise.all(
    found.map(async (entry) => {
      // A folder that holds nothing is no kernel.
      if (!entry.isDirectory()) return true;
      return (await fs.readdir(path.join(url.fileURLToPath(folder), entry.name))).length > 0;
    }),
  );
  return found.filter((_, i) => kept[i]).map(({ name }) => name);
}
