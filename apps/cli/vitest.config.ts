import { defineConfig, type ViteUserConfig } from "vitest/config";

// Every test starts the built command, some many times; a busy machine must not fail them.
const config: ViteUserConfig = defineConfig({ test: { testTimeout: 120_000 } });
export default config;
