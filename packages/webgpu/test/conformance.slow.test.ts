import { describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { backend, REQUIRED } from "./shared.ts";
import { isSlow, RANDOM } from "./tiers.ts";

// The cases that conformance.test.ts omits.
describeBackend(backend, { describe, it, afterAll }, { filter: isSlow, ...RANDOM, required: REQUIRED });
