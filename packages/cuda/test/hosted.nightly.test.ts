import { describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { hostedBackend, SMALL } from "./host/backend.ts";

const runner = { describe, it, afterAll };

// The whole contract, of which hosted.test.ts has a part.
describeBackend(() => hostedBackend(), runner);

describeBackend(() => hostedBackend(SMALL), runner, {
  filter: ({ topic }) => topic === "axes" || topic === "weighted",
});
