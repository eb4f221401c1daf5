import { defineConfig, type UserConfig } from "vite";
import { IN_PAGE } from "./collect/in-page.ts";
import { committedResults } from "./collect/results.ts";

// A static site. Addresses are relative, so that it works below any path. The page has no inline scripts, because a
// strict content security policy refuses them.
const config: UserConfig = defineConfig({
  base: "./",
  plugins: [committedResults()],
  resolve: { alias: IN_PAGE },
  worker: { format: "es" },
  build: { outDir: "dist/page", target: "es2024", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});
export default config;
