import { describeBackend } from "@polybin/conformance";
import { cuda } from "@polybin/cuda";
import { afterAll, describe, it } from "vitest";

// Without a device every case is skipped with the sentence of `probe`.
describeBackend(cuda, { describe, it, afterAll });
