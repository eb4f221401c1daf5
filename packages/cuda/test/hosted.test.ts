import { describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { H200, hostedBackend } from "./host/backend.ts";

// All of the addon but its kernels and CUDA's runtime: no job of the whole contract is refused at the boundary.
describeBackend(hostedBackend, { describe, it, afterAll });

// Plans of a device with less shared memory are others: fewer replicas, more passes.
describeBackend(
  () => ({ ...hostedBackend({ ...H200, units: 3, sharedBytes: 49_152, unit: undefined }), id: "small" }),
  { describe, it, afterAll },
  { filter: ({ topic }) => topic === "axes" || topic === "weighted" },
);
