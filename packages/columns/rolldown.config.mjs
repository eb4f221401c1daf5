// A program that reads a table opens few files, and an installation has few. What is loaded on first use, such as the readers of
// a format, has files of its own.
import { defineConfig } from "rolldown";

const ENTRIES = [
  "detect",
  "index",
  "page",
  "plots/index",
  "profile/index",
  "compare/index",
  "report/index",
  "worker",
];

export default defineConfig({
  platform: "neutral",
  // Packages and Node's modules.
  external: /^[^./]/,
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
  output: {
    dir: "dist",
    // The declarations are written afterwards.
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    sourcemap: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      // It names the file of the worker, next to its folder.
      groups: [{ name: "pool", test: /\/src\/pool\// }],
    },
  },
});
