import { type DefaultTheme, defineConfig, type UserConfig } from "vitepress";
import { drawingsOfMemory } from "../build/drawing/memory.ts";
import { anchorsAsWritten, githubSlug, linksBetweenPages } from "../build/links.ts";
import { nav, sidebar } from "../build/navigation.ts";
import { findPages, REPOSITORY } from "../build/pages.ts";
import { REFERENCE, SITE } from "../build/paths.ts";
import { SEARCH_DIALOG } from "../build/search.ts";
import { emptyHeaders } from "../build/tables.ts";

/** A quick build leaves out the reference and the search. */
const hasReference = process.env.POLYBIN_SITE_REFERENCE !== "none";
const pages = findPages(hasReference);
/** Pages lie outside this package and would not find Vue. The program that renders them lies inside, and does. */
const VUE = {
  name: "vue-for-pages",
  enforce: "pre" as const,
  resolveId: (id: string, _importer: string | undefined, { ssr }: { ssr?: boolean | undefined }) =>
    ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : null,
};

/** Where a host serves the site. GitHub Pages serves a project below its name. */
const base = process.env.POLYBIN_SITE_BASE || "/";
/** Pages with the playground. */
const WITH_PLAYGROUND: readonly string[] = ["index.md", "playground.md"];

const config: UserConfig<DefaultTheme.Config> = defineConfig({
  title: "polybin",
  description: "Exact histograms in TypeScript on CPU threads, WebGPU and CUDA",
  lang: "en",
  base,
  // Pages are where people edit them, so the whole repository is the source.
  srcDir: "../..",
  srcExclude: [
    "!(CONTRIBUTING).md",
    "{packages,deploy}/**",
    "apps/!(cli)/**",
    "apps/cli/*/**",
    "benchmarks/!(papers|README.md)/**",
    "benchmarks/papers/!(README|methods).md",
    "benchmarks/papers/*/**",
    `${SITE}/!(index|playground).md`,
    `${SITE}/{.vitepress,build,test,dist}/**`,
    ...(hasReference ? [] : [`${REFERENCE}/**`]),
  ],
  rewrites: (source) => pages.get(source) ?? source,
  // The sample is drawn while the page itself gets ready. If that fails, the playground says so.
  transformHead: ({ page }) =>
    WITH_PLAYGROUND.includes(page)
      ? [
          [
            "script",
            {},
            `import("${base}playground/playground.js").then((found) => found.drawAhead(), () => {});`,
          ],
        ]
      : [],
  outDir: "./dist",
  cacheDir: "./generated/cache",
  vite: {
    plugins: [VUE, SEARCH_DIALOG],
    // The index of the search is one chunk, which a reader loads with the first search.
    build: { chunkSizeWarningLimit: 4096 },
  },
  markdown: {
    anchor: { slugify: githubSlug },
    config(md) {
      linksBetweenPages(md, pages);
      anchorsAsWritten(md);
      emptyHeaders(md);
      drawingsOfMemory(md);
    },
  },
  themeConfig: {
    nav: nav(pages),
    sidebar: sidebar(pages),
    outline: [2, 3],
    ...(hasReference && { search: { provider: "local" } }),
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: "Edit this page" },
  },
});
export default config;
