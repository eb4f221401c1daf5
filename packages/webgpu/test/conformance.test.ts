import { describeBackend } from "@polybin/conformance";
import { webgpu } from "@polybin/webgpu";
import { afterAll, describe, it } from "vitest";

// On SwiftShader (vitest.config.ts). Where it cannot be had every case is skipped with the sentence of `probe`.
describeBackend(
  webgpu,
  { describe, it, afterAll },
  { kernels: new URL("../src/kernels/", import.meta.url), kernelHelpers: ["extent", "lib"] },
);
