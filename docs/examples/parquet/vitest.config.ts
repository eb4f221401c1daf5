import { defineConfig, type ViteUserConfig } from "vitest/config";

// Without the plugins and the root of the page's own configuration.
const config: ViteUserConfig = defineConfig({ test: { testTimeout: 120_000, hookTimeout: 120_000 } });
export default config;
