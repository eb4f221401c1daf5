import { cpu } from "@polybin/core";
import {
  algorithms,
  type CellsInputs,
  type CellsPart,
  type Job,
  type PreparedCells,
  type PreparedSegments,
  type RunOptions,
  type SegmentCounts,
} from "@polybin/core/backend";
import { describe, expect, it, vi } from "vitest";
import { runConformance } from "../src/index.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Changes of what a device prepares for several columns, and for segments. */
interface Fault {
  readonly cells?: (sound: PreparedCells) => PreparedCells;
  readonly segments?: (sound: PreparedSegments) => PreparedSegments;
}

/** Returns the cases that fail on core's CPU backend with a fault, among those that some words are in. */
async function failures({ cells, segments }: Fault, names: RegExp): Promise<string[]> {
  const backend = () => {
    const sound = cpu();
    const open = async () => {
      const device = await sound.open();
      const prepare = (job: Job) => {
        if (job.kind === "cells" && cells !== undefined)
          return Promise.resolve(device.prepare(job)).then(cells);
        if (job.kind === "segments" && segments !== undefined)
          return Promise.resolve(device.prepare(job)).then(segments);
        return device.prepare(job);
      };
      return new Proxy(device, {
        get(of, name) {
          const value = name === "prepare" ? prepare : Reflect.get(of, name);
          return typeof value === "function" ? value.bind(of) : value;
        },
      });
    };
    return { ...sound, id: "broken", algorithms: [algorithms.sequential, algorithms["per-segment"]], open };
  };
  const filter = ({ topic, name }: { readonly topic: string; readonly name: string }) =>
    ["combinations", "segments", "abort"].includes(topic) && names.test(`${topic}: ${name}`);
  const { results } = await runConformance(backend, { filter });
  expect(results.length).toBeGreaterThan(0);
  return results.filter(({ status }) => status === "failed").map(({ topic, name }) => `${topic}: ${name}`);
}

type Count = (inputs: CellsInputs, options: RunOptions) => Promise<CellsPart>;

/** A device that counts several columns with a fault. */
const counting = (change: (sound: Count) => Count): Fault => ({
  cells: (sound) => ({ launch: sound.launch, count: change((...of) => sound.count(...of)) }),
});

/** A device that returns other rows of segments. */
const rows = (change: (found: SegmentCounts) => SegmentCounts): Fault => ({
  segments: (sound) => ({ ...sound, count: async (...of) => change(await sound.count(...of)) }),
});

/** Moves one count to the next place. */
function shifted<A extends Float64Array | Uint32Array>(counts: A): A {
  const at = counts.findIndex((count) => count > 0);
  if (at >= 0 && at + 1 < counts.length) {
    counts[at]!--;
    counts[at + 1]!++;
  }
  return counts;
}

describe("a fault is found by the combinations:", () => {
  it("core's own backend has none", async () => {
    expect(await failures({}, /(two; .*; mask: array|; every|; offsets)$|segments: |progress/)).toEqual([]);
  });

  it("a count in the neighbouring cell", async () => {
    const fault = counting((sound) => async (...of) => {
      const found = await sound(...of);
      return { ...found, cells: shifted(found.cells as Float64Array) };
    });
    expect((await failures(fault, /; two; .*; mask: (array|bits)$/)).length).toBeGreaterThan(2);
  });

  it("columns in the wrong order", async () => {
    const fault = counting(
      (sound) => (inputs, options) =>
        sound({ ...inputs, columns: inputs.columns.toReversed() }, options).catch(() =>
          sound(inputs, options),
        ),
    );
    expect((await failures(fault, /; two; .* samples$/)).length).toBeGreaterThan(0);
  });

  it.each([
    ["inverted", (byte: number) => (byte === 0 ? 1 : 0)],
    ["ignored", () => 255],
  ])("a mask that is %s", async (_, change) => {
    const fault = counting((sound) => (inputs, options) => {
      if (inputs.mask?.kind !== "samples") return sound(inputs, options);
      const { samples } = inputs.mask;
      const mask = { kind: "samples", samples: { ...samples, bytes: samples.bytes.map(change) } } as const;
      return sound({ ...inputs, mask }, options);
    });
    expect((await failures(fault, /; two; .*; mask: array$/)).length).toBeGreaterThan(0);
  });

  it("another sample at the end of a list", async () => {
    const fault = counting((sound) => (inputs, options) => {
      const where = inputs.where?.slice() ?? null;
      if (where !== null && where.length > 1) where[where.length - 1] = where[0]!;
      return sound({ ...inputs, where }, options);
    });
    expect((await failures(fault, /; two; .*; list: \w+$/)).length).toBeGreaterThan(0);
  });

  it("progress that goes back", async () => {
    const cells = counting((sound) => (inputs, options) => {
      options.onProgress?.(inputs.samples);
      options.onProgress?.(0);
      return sound(inputs, options);
    });
    const segments: Fault = {
      segments: (sound) => ({
        ...sound,
        count(inputs, options) {
          options.onProgress?.(inputs.segments.pixels);
          options.onProgress?.(0);
          return sound.count(inputs, options);
        },
      }),
    };
    for (const fault of [cells, segments]) expect(await failures(fault, /abort: progress/)).toHaveLength(1);
  });

  it("a count in the neighbouring bin of a segment", async () => {
    const fault = rows((found) => ({ ...found, counts: shifted(found.counts as Uint32Array) }));
    expect((await failures(fault, /samples; (every|offsets)$/)).length).toBeGreaterThan(0);
  });

  it("the flow of one segment in another's row", async () => {
    const fault = rows((found) => ({ ...found, flow: found.flow?.toReversed() ?? null }));
    expect((await failures(fault, / samples; (every|offsets)$/)).length).toBeGreaterThan(0);
  });

  it("an empty segment that takes part of the next one", async () => {
    const fault: Fault = {
      segments: (sound) => ({
        ...sound,
        count(inputs, options) {
          const { segments: of } = inputs;
          if (of.kind !== "offsets") return sound.count(inputs, options);
          const isEmpty = (i: number) => i > 0 && of.offsets[i - 1] === of.offsets[i];
          const offsets = of.offsets.map((at, i) => at + (isEmpty(i) && at < of.pixels ? 1 : 0));
          return sound.count({ ...inputs, segments: { ...of, offsets } }, options);
        },
      }),
    };
    expect((await failures(fault, / samples; offsets$/)).length).toBeGreaterThan(0);
  });

  it("the caller's array is added to, or not used", async () => {
    const adding: Fault = {
      segments: (sound) => ({
        ...sound,
        async count({ into, ...inputs }, options) {
          const found = await sound.count(inputs, options);
          into?.forEach((count, i) => {
            into[i] = count + found.counts[i]!;
          });
          return { ...found, counts: into ?? found.counts };
        },
      }),
    };
    const other: Fault = {
      segments: (sound) => ({
        ...sound,
        count: ({ into: _, ...inputs }, options) => sound.count(inputs, options),
      }),
    };
    for (const fault of [adding, other]) expect(await failures(fault, /^segments: into/)).toHaveLength(1);
  });

  it("wrong rows are left on the device", async () => {
    const fault: Fault = {
      segments: (sound) => ({
        ...sound,
        async leave(...of) {
          const left = await sound.leave!(...of);
          return {
            timings: left.timings,
            read: (_, count, options) => left.read(0, count, options),
            get freed() {
              return left.freed;
            },
            free: () => left.free(),
          };
        },
      }),
    };
    expect(await failures(fault, /^segments: left/)).toHaveLength(1);
  });
});
