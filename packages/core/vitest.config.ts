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
      thresholds: { lines: 95 },
    },
  },
});
export default config;
