import { defineConfig, type ViteUserConfig } from "vitest/config";

// Loading Vega and Plot takes seconds on a busy machine.
const config: ViteUserConfig = defineConfig({ test: { testTimeout: 120_000 } });
export default config;
