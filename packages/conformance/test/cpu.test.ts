import { cpu } from "@polybin/core";
import { afterAll, describe, it } from "vitest";
import { describeBackend, repeats } from "../src/index.ts";

// Core must not import conformance, so this test checks core's backend. At night the whole contract runs on the archives
// with each Node (.ci/conformance).
describeBackend(cpu, { describe, it, afterAll }, { required: true, filter: (one) => !repeats(one) });
