import { describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { backend, REQUIRED } from "./shared.ts";
import { isSlow, RANDOM } from "./tiers.ts";

// On SwiftShader (vitest.config.ts). On a platform that it is not brought for every case is skipped with the sentence
// of `probe`; elsewhere it fails with it.
describeBackend(
  backend,
  { describe, it, afterAll },
  {
    // conformance.slow.test.ts has the others.
    filter: (one) => !isSlow(one),
    kernels: new URL("../src/kernels/", import.meta.url),
    kernelHelpers: ["generated", "lib", "steps"],
    ...RANDOM,
    required: REQUIRED,
  },
);
