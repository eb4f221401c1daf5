import assert from "node:assert/strict";
import { test } from "node:test";
import { unbuiltAdvice } from "./unbuilt-advice.mjs";

const ADDON = { name: "@polybin/cuda-linux-x64", main: "polybin_cuda.node" };

test("an archive that was left out comes with what works without it and with what packs it", () => {
  const advice = unbuiltAdvice(ADDON, "");
  assert.match(advice, /^left out @polybin\/cuda-linux-x64: polybin_cuda\.node is not built here\.$/m);
  assert.match(advice, /You can install and use the other archives without it/);
  assert.match(advice, /on Linux x64 with nvcc \(CUDA toolkit 13\) and g\+\+ in the PATH\.$/);
});

test("if POLYBIN_CUDA left the addon out, the advice names the variable", () => {
  assert.match(unbuiltAdvice(ADDON, "none"), /again without POLYBIN_CUDA=none\.$/);
});

test("an addon for another platform takes one line", () => {
  const other = { name: "@polybin/native-sunos-x64", main: "polybin_native.node", os: ["sunos"] };
  assert.equal(
    unbuiltAdvice(other, ""),
    "left out @polybin/native-sunos-x64: it is for another platform, and polybin_native.node is not built here.",
  );
});

test("an addon for the CPU needs only g++", () => {
  const advice = unbuiltAdvice({ name: "@polybin/native-linux-x64", main: "polybin_native.node" }, "none");
  assert.match(advice, /native\(\)\.probe\(\) gives the reason/);
  assert.match(advice, /on Linux x64 with g\+\+ in the PATH\.$/);
});
