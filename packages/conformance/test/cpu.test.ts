import { cpu } from "@polybin/core";
import { afterAll, describe, it } from "vitest";
import { type Case, describeBackend } from "../src/index.ts";

/** What takes half of the time; the whole contract is run on the archives, on each Node (.ci/conformance). */
const isSlow = ({ topic, name }: Case): boolean =>
  (topic === "axes" && /: (?!256 )\d+ bins of every type/.test(name)) ||
  (topic === "sizes" && /: (one large input|around what one launch)/.test(name)) ||
  (topic === "layout" && /: a picture of some size/.test(name));

// Core must not import conformance, so its own backend is checked here.
describeBackend(cpu, { describe, it, afterAll }, { required: true, filter: (one) => !isSlow(one) });
