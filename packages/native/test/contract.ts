import { describeBackend } from "@polybin/conformance";
// These tests use the built package as it is published.
import { native } from "@polybin/native";
import { afterAll, describe, it } from "vitest";

/** Runs the whole contract on `threads` threads, as tests. */
export function contract(threads: number): void {
  describe(`${threads} threads`, () => {
    describeBackend(
      () => native({ threads }),
      { describe, it, afterAll },
      { kernels: new URL("../src/kernels/", import.meta.url), kernelHelpers: ["generated", "lib"] },
    );
  });
}
