// A WebGPU that computes on the CPU does not count as a GPU.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gpuProblem } from "./webgpu.mjs";

test("no device and a software device are problems, a GPU is none", () => {
  assert.equal(gpuProblem({ available: true, device: "NVIDIA H200", software: false }), null);
  assert.match(gpuProblem({ available: true, device: "SwiftShader", software: true }), /computes on the CPU/);
  assert.match(gpuProblem({ available: false, reason: "no adapter" }), /found none: no adapter/);
});
