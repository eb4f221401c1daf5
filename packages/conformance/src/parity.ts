import type { Backend } from "@polybin/core";
import { isComposed } from "@polybin/core/backend";
import { type Case, Skip } from "./case.ts";
import { nodeFiles } from "./node.ts";

/**
 * Files of a kernel folder that are not kernels, by the part of their name before the first dot. A backend with more
 * shared files lists them in `helpers`.
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

/** An algorithm that a backend claims, weighted or not. */
export type Claim = Backend["algorithms"][number] | NonNullable<Backend["weighted"]>[number];

declare global {
  /** Lets programs without the types of a page or Node compile. With such types, it merges with the real one. */
  interface URL {}
}

/** A backend's kernels, as the `file:` URL of its `src/kernels` or the names of the files and folders in it. */
export type KernelFolder = URL | readonly string[];

/**
 * Compares the claims of a backend with its kernels: files `<slug>.*`, or a folder `<slug>`. A composed algorithm
 * needs no kernel, because core assigns its features to the kernels of others.
 * @returns one sentence per claim without a kernel and per kernel without a claim.
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
      .map(({ slug }) => `${slug} is claimed but there is no ${slug}.* and no folder ${slug}`),
    ...files
      .filter((file) => !slugs.has(stemOf(file)) && !allowed.includes(stemOf(file)))
      .map(
        (file) => `${file} is not a kernel of a claimed slug, nor one of the helpers ${allowed.join(", ")}`,
      ),
  ];
}

function stemOf(file: string): string {
  return file.slice(0, file.includes(".") ? file.indexOf(".") : undefined);
}

/** Creates the case that compares claims and kernels, for suites with the option `kernels`. */
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
      // An empty folder is not a kernel.
      if (!entry.isDirectory()) return true;
      return (await fs.readdir(path.join(url.fileURLToPath(folder), entry.name))).length > 0;
    }),
  );
  return found.filter((_, i) => kept[i]).map(({ name }) => name);
}
