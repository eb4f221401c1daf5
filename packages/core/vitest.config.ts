import { defineConfig, type ViteUserConfig } from "vitest/config";

// Core is what all others stand on: `npm test` asks how much of it its own tests reach.
const config: ViteUserConfig = defineConfig({
  test: {
    coverage: {
      enabled: process.env.POLYBIN_TEST_SUMMARY === ".turbo/tests.json",
      provider: "v8",
      include: ["src/**/*.ts"],
      reportsDirectory: "../../.coverage",
      reporter: ["text-summary", "json-summary", "lcovonly"],
      reportOnFailure: true,
      // All but what runs in threads, where V8 does not count (multithreaded/worker.ts). Far less than that: a test made
      // Node import a source that Vite has loaded, and V8 counts two texts under one name.
      thresholds: { lines: 98 },
    },
  },
});
export default config;
