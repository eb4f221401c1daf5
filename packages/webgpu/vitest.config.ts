import { swiftshaderEnv } from "@polybin/testbed/swiftshader";
import { defineConfig, type ViteUserConfigFnPromise } from "vitest/config";

// Dawn runs on SwiftShader, so that the tests need no GPU and are the same everywhere. Who has set VK_ICD_FILENAMES
// wants another driver. The variables must be there when a process starts; vitest starts its forks with `env`.
const config: ViteUserConfigFnPromise = defineConfig(async () => {
  const env = process.env.VK_ICD_FILENAMES === undefined ? await swiftshaderEnv() : {};
  return {
    test: {
      pool: "forks",
      setupFiles: ["@polybin/testbed/patience"],
      env: typeof env === "string" ? {} : env,
      // SwiftShader computes on the CPU: a second of it is a millisecond of a GPU.
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  };
});
export default config;
