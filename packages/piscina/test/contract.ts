import { describeBackend } from "@polybin/conformance";
// These tests use the built package as it is published: the workers run compiled files and the WebAssembly module.
import { piscina } from "@polybin/piscina";
import { afterAll, describe, it } from "vitest";

/** Runs the whole contract on `threads` workers, as tests. */
export function contract(threads: number): void {
  describe(`${threads} workers`, () => {
    describeBackend(
      () => piscina({ threads }),
      { describe, it, afterAll },
      {
        required: true,
        kernels: new URL("../src/kernels/", import.meta.url),
        kernelHelpers: ["generated", "lib"],
      },
    );
  });
}
