import { defineConfig, type ViteUserConfig } from "vitest/config";

// All other packages depend on core, so the nightly run measures the coverage of its own tests.
const config: ViteUserConfig = defineConfig({
  test: {
    coverage: {
      enabled: process.env.POLYBIN_COVERAGE === "1" && process.env.npm_lifecycle_event === "test",
      provider: "istanbul",
      include: ["src/**/*.ts"],
      reportsDirectory: "../../.coverage",
      reporter: ["text-summary", "json-summary", "lcovonly"],
      reportOnFailure: true,
      // Istanbul's counters cost a third of the time that V8's coverage does, but they still double that of the tests. Code
      // that runs in threads (multithreaded/worker.ts) is not measured.
      thresholds: { lines: 98 },
    },
  },
});
export default config;
