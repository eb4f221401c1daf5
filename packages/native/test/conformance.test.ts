import { describeBackend } from "@polybin/conformance";
// These tests use the built package as it is published.
import { native } from "@polybin/native";
import { afterAll, describe, it } from "vitest";

describe("2 threads", () => {
  describeBackend(
    () => native({ threads: 2 }),
    { describe, it, afterAll },
    {
      kernels: new URL("../src/kernels/", import.meta.url),
      kernelHelpers: ["generated", "lib"],
    },
  );
});
