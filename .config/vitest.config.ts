import { defineConfig } from "vitest/config";

// Run from the root, over all packages. A package's own vitest.config.ts, where there is one, applies to it.
export default defineConfig({
  test: {
    projects: ["packages/*", "apps/*", "benchmarks"],
    passWithNoTests: true,
    coverage: {
      provider: "v8",
      include: ["packages/core/src/**/*.ts"],
      reportsDirectory: ".coverage",
      reporter: ["text-summary", "json-summary", "lcovonly"],
      reportOnFailure: true,
      thresholds: { lines: 95 },
    },
  },
});
