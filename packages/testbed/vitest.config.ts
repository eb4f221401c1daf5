import { defineConfig, type ViteUserConfigFnPromise } from "vitest/config";
import { swiftshaderEnv } from "./src/swiftshader.ts";

// Dawn runs on SwiftShader, so that the tests need no GPU and are the same everywhere. If VK_ICD_FILENAMES is set, they
// use that driver instead. A process needs the variables at its start, so vitest starts its forks with `env`.
const config: ViteUserConfigFnPromise = defineConfig(async () => {
  const env = process.env.VK_ICD_FILENAMES === undefined ? await swiftshaderEnv() : {};
  return {
    test: {
      pool: "forks",
      setupFiles: ["./src/patience.ts"],
      env: typeof env === "string" ? {} : env,
      // SwiftShader computes on the CPU. It takes a second for a millisecond of GPU work.
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  };
});
export default config;
