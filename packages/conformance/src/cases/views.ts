import { Histogram } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { axesFor } from "../axes.ts";
import type { Context, Topic } from "../case.ts";
import { generate } from "../generators.ts";
import { countByDefinition } from "../oracle/counts.ts";

const BINS = limits.PER_THREAD_64_BINS;
/** Cases of memory that changes, and of memory that must not. */
export const views: Topic = () => [
  {
    topic: "views",
    name: "memory that shrinks before or during counting: exact counts, or ERR_INPUT",
    run: takenAway,
  },
  {
    topic: "views",
    name: "the input is not modified and can be counted again",
    async run({ engine, check }) {
      const samples = generate("i16", "gauss", 1000);
      const before = samples.slice();
      for (let i = 0; i < 2; i++) await check.counts(engine, samples, "i16", axesFor("i16", BINS)[3]!);
      check.sameNumbers("samples", samples, before);
    },
  },
];

/** Samples of an input that a device counts in several steps. */
const LONG: number = 2 ** 23 + 5;

async function takenAway({ engine, check }: Context): Promise<void> {
  const axis = axesFor("u8", BINS)[7]!;
  for (const n of [1003, LONG]) {
    for (const when of ["before", "after the call", "in the middle"]) {
      const buffer = new ArrayBuffer(n, { maxByteLength: n });
      const data = new Uint8Array(buffer, 0, n).fill(1);
      const copy = data.slice();
      const what = `${n} samples, shrunk ${when}`;
      if (when === "before") buffer.resize(7);
      const onProgress = () => buffer.resize(7);
      const found = engine.histogram(data, { axis, ...(when === "in the middle" ? { onProgress } : {}) });
      if (when === "after the call") buffer.resize(7);
      const ended = await found.catch((error: unknown) => error);
      if (when === "before" || !(ended instanceof Histogram)) {
        await check.rejects(what, () => found, { code: "ERR_INPUT", says: ["memory"] });
      } else check.histogram(what, ended, countByDefinition(axis, "u8", copy));
    }
  }
  await check.counts(engine, generate("u8", "gauss", 9999), "u8", axis, { name: "after lost memory" });
}
