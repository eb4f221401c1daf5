import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "vite";

// Relative addresses work below any path.
const config: UserConfig = defineConfig({
  base: "./",
  plugins: [react()],
  worker: { format: "es" },
  build: { target: "es2024", modulePreload: { polyfill: false } },
});
export default config;
