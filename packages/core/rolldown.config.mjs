// One file an entry, and one for what they share: a program or a thread that imports core opens 5 files, not 130. A
// thread that `multithreaded` forks for a call loads them each time.
import { defineConfig } from "rolldown";

const ENTRIES = ["index", "backend/index", "multithreaded/index", "multithreaded/worker"];

export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
  platform: "neutral",
  external: /^node:/,
  output: { dir: "dist", entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js", sourcemap: true },
});
