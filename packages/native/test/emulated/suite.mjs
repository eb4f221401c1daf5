// The contract in node:test, where vitest does not run: in an emulator, or under the thread sanitizer. POLYBIN_THREADS is the
// number of threads. POLYBIN_WITHOUT lists topics that are left out; without "large requests", other large inputs are too.
import { after, describe, it } from "node:test";
import { describeBackend } from "@polybin/conformance";
import { native } from "@polybin/native";

const { POLYBIN_THREADS: threads = "2", POLYBIN_WITHOUT: without = "" } = process.env;
const topics = without.split(",");
const isLarge = (name) => /65536 bins|one large input/.test(name);

describeBackend(
  () => native({ threads: Number(threads) }),
  { describe, it, after },
  {
    required: true,
    filter: ({ topic, name }) =>
      !topics.includes(topic) && !(topics.includes("large requests") && isLarge(name)),
  },
);
