import { describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { backend, REQUIRED } from "./shared.ts";
import { RANDOM, tierOf } from "./tiers.ts";

// Runs on SwiftShader (vitest.config.ts). On a platform for which the install has no SwiftShader, every case is skipped
// with the reason that `probe` returns. On other platforms it fails with that reason.
describeBackend(
  backend,
  { describe, it, afterAll },
  {
    // conformance.slow.test.ts and conformance.nightly.test.ts have the other cases.
    filter: (one) => tierOf(one) === "test",
    kernels: new URL("../src/kernels/", import.meta.url),
    kernelHelpers: ["generated", "lib", "steps"],
    ...RANDOM,
    required: REQUIRED,
  },
);
