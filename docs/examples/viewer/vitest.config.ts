import { swiftshaderEnv } from "@polybin/testbed/swiftshader";
import { defineConfig, type ViteUserConfigFnPromise } from "vitest/config";

// Dawn runs on SwiftShader, so that the test needs no GPU. A process needs its variables when it starts.
const config: ViteUserConfigFnPromise = defineConfig(async () => {
  const env = process.env.VK_ICD_FILENAMES === undefined ? await swiftshaderEnv() : {};
  return {
    test: {
      pool: "forks",
      setupFiles: ["@polybin/testbed/patience"],
      env: typeof env === "string" ? {} : env,
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  };
});
export default config;
