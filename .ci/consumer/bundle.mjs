// `bundle.mjs BUNDLER TOOLS PROJECT PAGE OUT` bundles a page of app/ as its author would, minified and split into chunks.
// TOOLS is the folder in which .ci/consumers.mjs installs the bundlers; PROJECT has the archives of polybin installed.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A bundler of `tools`, a folder with node_modules. */
const load = async (tools, name) =>
  import(pathToFileURL(createRequire(join(tools, "package.json")).resolve(name)).href);

/** Each bundles a page into `out`, as `<page>.mjs` and the files that it loads. */
const BUNDLERS = {
  async vite({ tools, project, entry, out }) {
    const { build } = await load(tools, "vite");
    await build({
      root: project,
      base: "./",
      configFile: false,
      logLevel: "warn",
      worker: { format: "es" },
      build: {
        outDir: out,
        emptyOutDir: true,
        target: "es2024",
        modulePreload: { polyfill: false },
        rolldownOptions: { input: entry, output: { entryFileNames: "[name].mjs" } },
      },
    });
  },

  async webpack({ tools, project, entry, out }) {
    const { default: webpack } = await load(tools, "webpack");
    const compiler = webpack({
      mode: "production",
      context: project,
      target: ["web", "es2022"],
      entry,
      output: { path: out, filename: "[name].mjs", module: true, publicPath: "auto" },
      experiments: { outputModule: true },
      performance: false,
    });
    const stats = await new Promise((resolve, reject) =>
      compiler.run((error, done) => (error ? reject(error) : resolve(done))),
    );
    await new Promise((resolve) => compiler.close(resolve));
    if (stats.hasErrors() || stats.hasWarnings())
      throw new Error(stats.toString({ all: false, errors: true, warnings: true }));
  },

  async esbuild({ tools, project, page, entry, out }) {
    const { build } = await load(tools, "esbuild");
    const { warnings } = await build({
      absWorkingDir: project,
      // It knows no workers: theirs is an entry like the page, under the name that the page asks for.
      entryPoints: page === "all" ? { ...entry, worker: join(project, "app/worker.mjs") } : entry,
      outExtension: { ".js": ".mjs" },
      outdir: out,
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      target: "es2024",
      logLevel: "silent",
    });
    if (warnings.length > 0) throw new Error(JSON.stringify(warnings));
  },
};

const [bundler, tools, project, page, out] = process.argv.slice(2);
await BUNDLERS[bundler]({
  tools,
  project,
  page,
  entry: { [page]: join(project, `app/${page}.mjs`) },
  out,
});
