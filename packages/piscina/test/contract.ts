import { type Case, describeBackend } from "@polybin/conformance";
// These tests use the built package as it is published: the workers run compiled files and the WebAssembly module.
import { piscina } from "@polybin/piscina";
import { afterAll, describe, it } from "vitest";

/** Runs the contract on `threads` workers, as tests. @param filter the cases to run. Default: all */
export function contract(threads: number, filter: (one: Case) => boolean = () => true): void {
  describe(`${threads} workers`, () => {
    describeBackend(
      () => piscina({ threads }),
      { describe, it, afterAll },
      {
        required: true,
        filter,
        kernels: new URL("../src/kernels/", import.meta.url),
        kernelHelpers: ["generated", "lib"],
      },
    );
  });
}
