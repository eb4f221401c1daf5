import { type Case, describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { backend, REQUIRED } from "./shared.ts";
import { RANDOM, tierOf } from "./tiers.ts";

const filter = (one: Case) => tierOf(one) === "nightly";
describeBackend(backend, { describe, it, afterAll }, { filter, ...RANDOM, required: REQUIRED });
