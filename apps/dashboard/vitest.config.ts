import { defineConfig, type ViteUserConfig } from "vitest/config";

// A browser whose GPU is computed on the CPU takes seconds for what takes a person's machine milliseconds.
const config: ViteUserConfig = defineConfig({ test: { testTimeout: 120_000, hookTimeout: 120_000 } });
export default config;
