import { fileURLToPath } from "node:url";

const at = (name: string): string =>
  fileURLToPath(new URL(`../src/try/column/node/${name}.ts`, import.meta.url));

/** The modules of Node that @polybin/columns imports, and what takes their place in a page. */
export const NODE_IN_PAGE: Readonly<Record<string, string>> = {
  "node:zlib": at("zlib"),
  "node:buffer": at("buffer"),
  "node:os": at("none"),
  piscina: at("none"),
};
