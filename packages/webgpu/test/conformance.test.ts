import { describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { backend } from "./shared.ts";

// On SwiftShader (vitest.config.ts). Where it cannot be had every case is skipped with the sentence of `probe`.
describeBackend(
  backend,
  { describe, it, afterAll },
  {
    kernels: new URL("../src/kernels/", import.meta.url),
    kernelHelpers: ["extent", "fold", "gather", "lib", "pack", "read", "weighted"],
    numRuns: 10,
  },
);
