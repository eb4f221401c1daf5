import { defineConfig } from "vitest/config";

// Run from the root, over all packages at once. A package's own vitest.config.ts, where there is one, applies to it.
export default defineConfig({
  test: { projects: ["packages/*", "apps/*", "docs/examples/*/", "benchmarks"], passWithNoTests: true },
});
