import { fileURLToPath } from "node:url";

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Documents with figures from result files, and the relative path from each to the repository's root. */
export const DOCUMENTS: readonly { readonly path: string; readonly up: string }[] = [
  { path: root("README.md"), up: "" },
  { path: root("docs/compare/speed.md"), up: "../../" },
  { path: root("docs/internals/cuda.md"), up: "../../" },
  { path: root("docs/internals/webgpu.md"), up: "../../" },
];
