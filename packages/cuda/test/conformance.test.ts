import { describeBackend } from "@polybin/conformance";
import { cuda } from "@polybin/cuda";
import { afterAll, describe, it } from "vitest";

// Without a device every case is skipped with the reason that `probe` returns.
describeBackend(cuda, { describe, it, afterAll });
