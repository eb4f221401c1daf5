import { type Case, describeBackend } from "@polybin/conformance";
// These tests use the built package as it is published.
import { native } from "@polybin/native";
import { afterAll, describe, it } from "vitest";

/** Runs the contract on `threads` threads, as tests. @param filter the cases to run. Default: all */
export function contract(threads: number, filter: (one: Case) => boolean = () => true): void {
  describe(`${threads} threads`, () => {
    describeBackend(
      () => native({ threads }),
      { describe, it, afterAll },
      {
        filter,
        kernels: new URL("../src/kernels/", import.meta.url),
        kernelHelpers: ["generated", "lib"],
      },
    );
  });
}
