// A few files instead of 150: a program that imports core opens them all. What a first histogram needs is one file,
// `first`; what else an import of core brings is another. What is loaded on first use stays apart from both, so that a
// page's bundler leaves it out of its first chunk. A thread that `multithreaded` forks for a call loads one file each time.
import { defineConfig, rolldown } from "rolldown";

const COMMON = { platform: "neutral", external: /^node:/ };
const ENTRIES = ["index", "backend/index", "multithreaded/index"];

/** The modules that a bundler keeps of an entry, without those that are loaded later. */
async function modulesOf(entry) {
  const later = { name: "later", resolveDynamicImport: (id) => ({ id, external: true }) };
  const build = await rolldown({ ...COMMON, input: `src/${entry}.ts`, plugins: [later] });
  const { output } = await build.generate();
  await build.close();
  const modules = output.flatMap((chunk) => Object.entries(chunk.modules));
  return new Set(modules.flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])));
}

const first = await modulesOf("engine/open");
const all = await modulesOf("index");
const more = (id) => all.has(id) && !id.endsWith("/src/index.ts");

export default defineConfig([
  {
    ...COMMON,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
    output: {
      dir: "dist",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name].js",
      sourcemap: true,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: "first", test: (id) => first.has(id) },
          { name: "weighted", test: (id) => more(id) && /weigh|sums|engine\/table/.test(id) },
          { name: "segments", test: (id) => more(id) && /segment|rows/.test(id) },
          { name: "more", test: more },
        ],
      },
    },
  },
  {
    ...COMMON,
    input: "src/multithreaded/worker.ts",
    output: { file: "dist/multithreaded/worker.js", sourcemap: true },
  },
]);
