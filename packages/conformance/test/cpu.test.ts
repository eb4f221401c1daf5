import { cpu } from "@polybin/core";
import { afterAll, describe, it } from "vitest";
import { describeBackend } from "../src/index.ts";

// Core must not import conformance, so its own backend is checked here.
describeBackend(cpu, { describe, it, afterAll }, { required: true });
