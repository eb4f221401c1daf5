// The build has one file per entry and one per shared chunk, so that a program or a thread that imports core opens 5 files
// instead of 130. Each thread that `multithreaded` forks for a call loads them.
import { defineConfig } from "rolldown";

const ENTRIES = ["index", "backend/index", "multithreaded/index", "multithreaded/worker"];

export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
  platform: "neutral",
  external: /^node:/,
  output: { dir: "dist", entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js", sourcemap: true },
});
