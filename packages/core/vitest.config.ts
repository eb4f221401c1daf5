import { defineConfig, type ViteUserConfig } from "vitest/config";

// All other packages depend on core, so `npm test` measures the coverage of its own tests.
const config: ViteUserConfig = defineConfig({
  test: {
    coverage: {
      enabled: process.env.POLYBIN_TEST_SUMMARY === ".turbo/tests.json",
      provider: "v8",
      include: ["src/**/*.ts"],
      reportsDirectory: "../../.coverage",
      reporter: ["text-summary", "json-summary", "lcovonly"],
      reportOnFailure: true,
      // V8 does not measure code that runs in threads (multithreaded/worker.ts). If the coverage drops far below this, a
      // test made Node import a source that Vite has loaded, and V8 counts two texts under one name.
      thresholds: { lines: 98 },
    },
  },
});
export default config;
