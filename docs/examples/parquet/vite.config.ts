import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";

const stub: string = fileURLToPath(new URL("src/node.js", import.meta.url));

// Relative addresses work below any path. A page has no modules of Node, so src/node.js takes their place.
const config: UserConfig = defineConfig({
  base: "./",
  // The file of rides, which the page fetches.
  publicDir: "generated",
  resolve: {
    alias: [/^node:.*/, "piscina"].map((find) => ({ find, replacement: stub })),
  },
  worker: { format: "es" },
  build: { target: "es2024", modulePreload: { polyfill: false } },
});
export default config;
