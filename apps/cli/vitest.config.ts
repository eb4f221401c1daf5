import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    // Many tests start the built command, some many times; a busy machine must not fail them.
    testTimeout: 120_000,
    // The built command runs as it is, by Node, also where a test runs it in its own process.
    server: { deps: { external: [/\/dist\//] } },
  },
});
export default config;
