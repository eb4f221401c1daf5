import { defineConfig, type UserConfig } from "vite";
import { committedResults } from "./collect/results.ts";

// A static site: relative addresses, so that it works below any path. No script stands in the page itself, which a
// strict content security policy would refuse.
const config: UserConfig = defineConfig({
  base: "./",
  plugins: [committedResults()],
  worker: { format: "es" },
  build: { outDir: "dist/page", target: "es2024", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});
export default config;
