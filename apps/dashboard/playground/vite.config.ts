import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";
import { IN_PAGE } from "../collect/in-page.ts";
import { offline } from "../collect/offline.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// The playground for other sites: `playground.js` exports mountPlayground, and index.html shows it. Addresses are
// relative to the module, so that it works from any file host, below any path.
const config: UserConfig = defineConfig({
  root: at("./"),
  base: "./",
  plugins: [offline(at("./offline.js"))],
  resolve: { alias: IN_PAGE },
  worker: { format: "es" },
  build: {
    outDir: at("../dist/playground"),
    emptyOutDir: true,
    target: "es2024",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: at("./index.html"), playground: at("../src/try/playground.ts") },
      preserveEntrySignatures: "exports-only",
      output: {
        entryFileNames: ({ name }) => (name === "playground" ? "playground.js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
export default config;
