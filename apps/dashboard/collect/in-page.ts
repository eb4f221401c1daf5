import { fileURLToPath } from "node:url";

const at = (name: string): string =>
  fileURLToPath(new URL(`../src/try/column/node/${name}.ts`, import.meta.url));

/** Files that take the place of the modules of Node that @polybin/columns imports. */
export const IN_PAGE: { find: string; replacement: string }[] = [
  { find: "node:zlib", replacement: at("zlib") },
  { find: "node:buffer", replacement: at("buffer") },
  { find: "node:os", replacement: at("none") },
  { find: "piscina", replacement: at("none") },
];
