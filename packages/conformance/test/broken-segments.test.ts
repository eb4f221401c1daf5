import { algorithms, type PreparedOf, type Segments, type SegmentsJob } from "@polybin/core/backend";
import { describe, expect, it } from "vitest";
import { runConformance } from "../src/index.ts";
import { broken, type Fault } from "./broken.ts";

type Prepared = PreparedOf<"segments">;
type Counting = Prepared["count"];

/** A device that counts segments with a fault. */
const counting = (change: (sound: Counting, job: SegmentsJob) => Counting): Fault => ({
  algorithms: [algorithms["per-segment"]],
  segments: (sound, job) => ({ ...sound, count: change(sound.count, job) }),
});

/** Names of the cases that fail. */
async function failures(fault: Fault, ...names: readonly string[]): Promise<string[]> {
  const filter = ({ topic, name }: { readonly topic: string; readonly name: string }) =>
    topic === "segments" && names.some((one) => name.startsWith(one));
  const { results } = await runConformance(broken(fault), { filter, numRuns: 10 });
  return results.filter(({ status }) => status === "failed").map(({ name }) => name);
}

describe("a fault of segments is found:", () => {
  it("core's own segments have none", async () => {
    const filter = ({ topic, name }: { readonly topic: string; readonly name: string }) =>
      topic === "segments" && /^(u8|into|left|wrong|descr|supports)/.test(name);
    const result = await runConformance(broken(counting((sound) => sound)), { filter });
    expect(result).toMatchObject({ failed: 0, skipped: 0, passed: 5 });
  });

  it("a count in the neighbouring bin", async () => {
    const fault = counting((sound) => async (...of) => {
      const found = await sound(...of);
      const at = found.counts.findIndex((count) => count > 0);
      const to = at === 0 ? 1 : at - 1;
      if (at >= 0 && to < found.counts.length) {
        found.counts[at]!--;
        found.counts[to]!++;
      }
      return found;
    });
    expect(await failures(fault, "u8", "channels")).toHaveLength(2);
  });

  it("flow counts of one segment are in another's row", async () => {
    const fault = counting((sound) => async (...of) => {
      const found = await sound(...of);
      return { ...found, flow: found.flow?.toReversed() ?? null };
    });
    expect(await failures(fault, "f32")).toHaveLength(1);
  });

  it("an empty segment takes part of the next one", async () => {
    const fault = counting((sound) => (inputs, options) => {
      const { segments: of } = inputs;
      if (of.kind !== "offsets") return sound(inputs, options);
      const offsets = of.offsets.map(
        (at, i) => at + (i > 0 && of.offsets[i - 1] === at && at < of.pixels ? 1 : 0),
      );
      return sound({ ...inputs, segments: { ...of, offsets } satisfies Segments }, options);
    });
    expect(await failures(fault, "a long segment", "random offsets")).toHaveLength(2);
  });

  it("the caller's array is added to, or not used", async () => {
    const adding = counting((sound) => async ({ into, ...inputs }, options) => {
      const found = await sound(inputs, options);
      into?.forEach((count, i) => {
        into[i] = count + found.counts[i]!;
      });
      return { ...found, counts: into ?? found.counts };
    });
    const other = counting(
      (sound) =>
        ({ into: _, ...inputs }, options) =>
          sound(inputs, options),
    );
    for (const fault of [adding, other]) expect(await failures(fault, "into")).toHaveLength(1);
  });

  it("progress that goes back", async () => {
    const back = counting((sound) => (inputs, options) => {
      options.onProgress?.(inputs.segments.pixels);
      options.onProgress?.(0);
      return sound(inputs, options);
    });
    expect(await failures(back, "progress")).toHaveLength(1);
  });

  it("wrong rows are left on the device", async () => {
    const fault = (change: (sound: Prepared) => Prepared["leave"]): Fault => ({
      algorithms: [algorithms["per-segment"]],
      segments: (sound) => ({ ...sound, leave: change(sound)! }),
    });
    const first = fault((sound) => async (...of) => {
      const left = await sound.leave!(...of);
      return {
        timings: left.timings,
        read: (_, count, options) => left.read(0, count, options),
        get freed() {
          return left.freed;
        },
        free: () => left.free(),
      };
    });
    expect(await failures(first, "left")).toHaveLength(1);
  });
});
