// A program that imports core opens all of its files, so the build makes a few from 150. `first` has the code for a first
// histogram. `axes`, `joint`, `weighted`, `segments` and `more` have the rest of the main entry, so that bundlers can drop
// them. Modules that the engine loads on first use have files of their own. Each thread that `multithreaded` forks for a call loads one file.
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
const later = (id) => !first.has(id) && !all.has(id) && !id.endsWith("/index.ts");

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
          // rolldown inlines numbers, so a file of limits may be empty above. A chunk of its own would import `first` in a circle.
          { name: "first", test: (id) => first.has(id) || id.endsWith("/src/input/limits.ts") },
          // Backends read limits, and must not load the rest of an entry for them.
          { name: "limits", test: (id) => more(id) && id.endsWith("/limits.ts") },
          {
            name: "axes",
            test: (id) => more(id) && /axis\/(category|circular|spaced|exact|nice|rules)/.test(id),
          },
          {
            name: "joint",
            test: (id) => more(id) && /result\/(several-axes|joint-histogram|mean-joint|grouped)/.test(id),
          },
          {
            name: "weighted",
            test: (id) => more(id) && /weigh|sums|means|mean-histogram|engine\/table/.test(id),
          },
          { name: "segments", test: (id) => more(id) && /segment|rows/.test(id) },
          { name: "more", test: more },
          // Backends need these for some of their calls only.
          {
            name: "sums",
            // What the engine loads later would bring its own imports along.
            test: (id) =>
              later(id) && !/engine\/run/.test(id) && /src\/weights|weighted|sums-plan|hybrid/.test(id),
          },
          { name: "cells", test: (id) => later(id) && /choice\/joint|cells-plan|describe/.test(id) },
        ],
      },
    },
  },
  ...["multithreaded/worker", "sync/index"].map((alone) => ({
    ...COMMON,
    input: `src/${alone}.ts`,
    output: { file: `dist/${alone}.js`, sourcemap: true },
  })),
]);
