// The contract in node:test, where vitest does not run: in an emulator, or under the thread sanitizer. POLYBIN_THREADS is the
// number of threads. POLYBIN_WITHOUT lists topics that are left out; without "large requests", so are other large inputs, and
// repetitions with other bins and algorithms.
import { after, describe, it } from "node:test";
import { describeBackend } from "@polybin/conformance";
import { native } from "@polybin/native";

const { POLYBIN_THREADS: threads = "2", POLYBIN_WITHOUT: without = "" } = process.env;
const topics = without.split(",");
/** Cases of the same kernels with more samples or bins, or by algorithms whose vectors per-lane and fused have too. */
const repeats = ({ topic, name }) =>
  /one large input/.test(name) ||
  (topic === "axes" && !/^(per-lane|fused): 256 bins of every type/.test(name)) ||
  (topic === "flow" && !/^(per-lane|fused): /.test(name)) ||
  (topic === "properties" && !/^auto: /.test(name)) ||
  (topic === "sizes" && !/^(per-lane|fused): n around every limit/.test(name));

describeBackend(
  () => native({ threads: Number(threads) }),
  { describe, it, after },
  {
    required: true,
    filter: (one) => !topics.includes(one.topic) && !(topics.includes("large requests") && repeats(one)),
  },
);
