import { describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { H200, hostedBackend } from "./host/backend.ts";

// All of the addon except its kernels and CUDA's runtime: the boundary must accept every job of the whole contract.
describeBackend(hostedBackend, { describe, it, afterAll });

// A device with less shared memory has other plans: fewer replicas and more passes.
describeBackend(
  () => ({ ...hostedBackend({ ...H200, units: 3, sharedBytes: 49_152, unit: undefined }), id: "small" }),
  { describe, it, afterAll },
  { filter: ({ topic }) => topic === "axes" || topic === "weighted" },
);
