import { cpu } from "@polybin/core";
import { afterAll, describe, it } from "vitest";
import { type Case, describeBackend } from "../src/index.ts";

/** Cases that take half of the time, and half of the combinations. At night the whole contract runs on the archives with each Node (.ci/conformance). */
const isSlow = ({ topic, name }: Case): boolean =>
  (topic === "combinations" && name.length % 2 === 1) ||
  (topic === "axes" && /: (?!256 )\d+ bins of every type/.test(name)) ||
  (topic === "sizes" && /: (one large input|around what one launch)/.test(name));

// Core must not import conformance, so this test checks core's backend.
describeBackend(cpu, { describe, it, afterAll }, { required: true, filter: (one) => !isSlow(one) });
