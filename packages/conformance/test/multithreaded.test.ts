import { multithreaded } from "@polybin/core/multithreaded";
import { afterAll, describe, it } from "vitest";
import { describeBackend } from "../src/index.ts";

// Core's CPU backend with worker threads: what cpu.test.ts has not seen of it.
describeBackend(
  () => multithreaded({ threads: 3 }),
  { describe, it, afterAll },
  {
    required: true,
    filter: ({ topic, name }) =>
      name.startsWith("multithreaded") ||
      ["claims", "streams", "results", "abort", "lifecycle"].includes(topic),
  },
);
