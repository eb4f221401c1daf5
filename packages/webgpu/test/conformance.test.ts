import { describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { Hardware } from "../src/hardware.ts";
import { backend, REQUIRED, userDevice } from "./shared.ts";

// On SwiftShader (vitest.config.ts). On a platform that it is not brought for every case is skipped with the sentence
// of `probe`; elsewhere it fails with it.
describeBackend(
  backend,
  { describe, it, afterAll },
  {
    kernels: new URL("../src/kernels/", import.meta.url),
    kernelHelpers: ["extent", "fold", "gather", "lib", "pack", "read", "weighted"],
    numRuns: 10,
    required: REQUIRED,
  },
);

// What depends on a device's limits, once more at WebGPU's default ones: 16 KiB of workgroup memory, bindings of
// 128 MiB, 256 invocations.
