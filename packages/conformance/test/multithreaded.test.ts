import { multithreaded } from "@polybin/core/multithreaded";
import { afterAll, describe, it } from "vitest";
import { describeBackend } from "../src/index.ts";

/** Cases that depend on threads. Each call starts threads, so the topics with thousands of calls are left out. */
const CASES: readonly RegExp[] = [
  /^(abort|lifecycle|claims): (?!\w+(-\w+)*: )(?!a resident is counted)/,
  /^(abort|claims): multithreaded/,
  /^axes: multithreaded: 256 bins/,
  /^sizes: multithreaded: (around what one launch|one large)/,
  /^combinations: .*; multithreaded$/,
];

describeBackend(
  () => multithreaded({ threads: 3 }),
  { describe, it, afterAll },
  {
    required: true,
    filter: ({ topic, name }) => CASES.some((pattern) => pattern.test(`${topic}: ${name}`)),
  },
);
