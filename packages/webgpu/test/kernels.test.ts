import { cpu, type Engine, integer, openEngine, type Slug, type WeightedSlug } from "@polybin/core";
import {
  type Algorithm,
  algorithms,
  type ChannelsJob,
  lower,
  type OrderedAxis,
  plan,
  type SumsJob,
  samples,
  type TableValues,
  type WeightedMethod,
  weightedAlgorithms,
  weightedPlan,
} from "@polybin/core/backend";
import { type CountKernel, type SumsKernel, webgpu } from "@polybin/webgpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { KERNELS } from "../src/kernels/generated/registry.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { absence, DAWN, userDevice } from "./shared.ts";

// Algorithms that a third party provides, and the jobs that a device prepares.

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

/** One histogram in global memory like `global`, except that a thread's four codes are processed in another order. */
const TURNED: Algorithm<{ readonly turn: number }> = {
  ...algorithms.global,
  slug: "turned",
  parameters: { turn: { title: "which code of a word comes first", default: 3, least: 0, most: 3 } },
  preferred: {},
};

const turned: CountKernel<{ readonly turn: "u32" }> = {
  kind: "count",
  algorithm: TURNED,
  reads: "codes",
  own: { turn: "u32" },
  params: ({ parameters }) => ({ turn: parameters.turn as number }),
  stages: ({ plan: { threads, blocks } }) => [
    {
      label: "turned",
      parts: [
        `
        override THREADS: u32;

        fn step(codes: vec4<u32>, index: u32, thread: u32) {
          for (var i = 0u; i < 4u; i++) {
            let code = codes[(i + params.turn) % 4u];
            if (code < params.cells) {
              addCount(code, 1u);
            }
          }
        }

        @compute @workgroup_size(THREADS)
        fn count(
          @builtin(local_invocation_index) thread: u32,
          @builtin(workgroup_id) block: vec3<u32>,
          @builtin(num_workgroups) blocks: vec3<u32>,
        ) {
          eachWord(thread, block.x, blocks.x);
        }
        `,
      ],
      entry: "count",
      constants: { THREADS: threads },
      grid: [blocks],
    },
  ],
};

/** Sums that are added directly to the totals. */
const straight: SumsKernel = {
  kind: "sums",
  algorithm: { ...weightedAlgorithms["weighted-collision"], slug: "straight" },
  parts: [
    `
    fn prepare(thread: u32) {}

    fn add(feature: u32, bin: u32, weight: u32, square: u32) {
      let row = feature * params.binsPerPass + bin;
      if (COUNTS) {
        addCount(row, 1u);
      }
      addSum(row, 0u, widened(weight));
      if (SQUARES) {
        addSum(row, 1u, widened(square));
      }
    }

    fn flush(thread: u32) {}

    fn finish(thread: u32) {}
    `,
  ],
  unroll: () => 1,
  constants: () => ({}),
};

let right: Engine;
beforeAll(async () => {
  right = await openEngine({ backend: cpu() });
});
afterAll(() => right.close());

const bytes = Uint8Array.from({ length: 30_011 }, (_, i) => (i * i) >>> 5);
const shorts = Uint16Array.from({ length: 20_013 }, (_, i) => (i * 2_654_435_761) >>> 17);

describe("a third party's algorithm", () => {
  needsDevice("counts bytes and codes, with a parameter of its own", async () => {
    await using engine = await openEngine({ backend: webgpu({ dawn: DAWN, kernels: [turned] }) });
    const algorithm = "turned" as Slug;
    expect(engine.algorithms).toContain(algorithm);
    const axis = integer(100, 1100);
    for (const data of [bytes, shorts]) {
      const found = await engine.histogram(data, { axis, algorithm });
      expect(found.plan).toMatchObject({ algorithm, parameters: { turn: 3 } });
      expect(found.counts).toEqual((await right.histogram(data, { axis })).counts);
    }
    const pixels = { data: shorts.subarray(0, 20_010), channels: 3 };
    const found = await engine.histograms(pixels, { axis, algorithm });
    const wanted = await right.histograms(pixels, { axis });
    expect(found.map(({ counts }) => counts)).toEqual(wanted.map(({ counts }) => counts));
    const { launch } = await engine.explain({ type: "u8", samples: bytes.length, algorithm });
    expect(launch).toMatchObject({ kernels: [{ name: "turned" }], own: { turn: 3 } });
  });

  needsDevice("adds weights up", async () => {
    await using engine = await openEngine({ backend: webgpu({ dawn: DAWN, kernels: [straight] }) });
    const documents = 3001;
    const init = { values: bytes.slice(0, 2 * documents), features: 2, documents, bins: 256 };
    const weights = Float64Array.from({ length: documents }, (_, i) => (i % 17) - 8);
    await using table = await engine.table(init);
    await using same = await right.table(init);
    const found = await table.sums(weights, { algorithm: "straight" as WeightedSlug });
    const wanted = await same.sums(weights);
    expect(found.sums).toEqual(wanted.sums);
    expect(found.counts).toEqual(wanted.counts);
  });

  it("gets an error if its slug is taken or its params are not its own", async () => {
    const taken = { ...turned, algorithm: algorithms.global };
    expect(() => webgpu({ kernels: [taken] })).toThrow(/a slug other than global/);
    for (const kernels of [{}, [{}], [{ kind: "count" }], [null]]) {
      expect(() => webgpu({ kernels: kernels as never })).toThrow(
        expect.objectContaining({ code: "ERR_INPUT" }),
      );
    }
  });
});

it("every folder's kernel has the algorithm of its name, once", () => {
  const slugs = KERNELS.map(({ algorithm }) => algorithm.slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(slugs).toContain("per-lane");
});

describe("what a device prepares", () => {
  let device: GPUDevice;
  let of: WebgpuDevice;
  beforeAll(async () => {
    if (reason !== null) return;
    device = await userDevice();
    of = new WebgpuDevice(new Hardware(device, () => {}), deviceLimits(device));
  });
  afterAll(async () => {
    await of?.close();
    device?.destroy();
  });

  const jobOf = (algorithm: Slug, type: "u8" | "u16", axis: OrderedAxis): ChannelsJob => {
    const lowering = lower(axis, type);
    const request = { algorithm, column: { type, lowering }, samples: shorts.length, channels: 1 };
    const job = { type, interleaved: 1, channels: [0], axis, lowering, plan: plan(request, of.limits) };
    return { kind: "channels", ...job };
  };

  needsDevice("names the kernel of segments that are whole vectors", async () => {
    await using engine = await openEngine({ backend: webgpu({ dawn: DAWN }) });
    const kernelsFor = async (every: number, axis: OrderedAxis) =>
      (await engine.explain({ type: "u8", samples: 9 * every, segments: { every }, axis })).launch.kernels;
    const whole = integer(0, 256);
    const any = { name: "per-segment" };
    expect(await kernelsFor(4096, whole)).toMatchObject([any, { name: "per-segment even" }]);
    expect(await kernelsFor(1024, whole)).toMatchObject([any, { constants: { THREADS: 64 } }]);
    // No whole vectors, fewer bins, and less than a vector per thread.
    for (const [every, axis] of [
      [4100, whole],
      [4096, integer(0, 255)],
      [1008, whole],
    ] as const) {
      expect(await kernelsFor(every, axis)).toMatchObject([any]);
      expect(await kernelsFor(every, axis)).toHaveLength(1);
    }
  });

  needsDevice("is frozen, goes through JSON, and is equal for equal jobs", () => {
    const axis = integer(0, 700);
    for (const algorithm of ["per-lane", "trish", "privatized", "global"] as const) {
      const some = algorithm === "per-lane" || algorithm === "global" ? axis : integer(0, 200);
      const { launch } = of.prepare<"channels">(jobOf(algorithm, "u16", some));
      expect(Object.isFrozen(launch) && Object.isFrozen(launch.kernels)).toBe(true);
      expect(JSON.parse(JSON.stringify(launch))).toEqual(launch);
      expect(of.prepare<"channels">(jobOf(algorithm, "u16", integer(some.start, some.stop))).launch).toEqual(
        launch,
      );
    }
    const { launch } = of.prepare<"channels">(jobOf("trish", "u16", integer(0, 200)));
    expect(launch.kernels).toMatchObject([{ name: "lower" }, { name: "trish Count" }, { name: "merge" }]);
    expect(of.prepare<"channels">(jobOf("trish", "u8", integer(0, 200))).launch.kernels).toHaveLength(2);
  });

  needsDevice("runs again and again, by several calls at once, on other samples", async () => {
    const axis = integer(0, 700);
    for (const algorithm of ["per-lane", "trish"] as const) {
      const some = algorithm === "trish" ? integer(0, 200) : axis;
      const prepared = of.prepare<"channels">(jobOf(algorithm, "u16", some));
      const parts = [shorts, shorts.subarray(5), shorts.subarray(0, 1), shorts.subarray(7, 9000)];
      const counted = await Promise.all(
        parts.map((part) => prepared.count({ kind: "samples", samples: samples(part) }, {})),
      );
      for (const [i, { channels }] of counted.entries()) {
        const { counts } = await right.histogram(parts[i]!, { axis: some });
        expect(Array.from(channels[0]!.cells), `${algorithm}, part ${i}`).toEqual(Array.from(counts));
      }
    }
  });

  needsDevice("of weighted sums, too", async () => {
    const documents = 300;
    const values = { type: "u8", documents, features: 4, bytes: bytes.slice(0, 4 * documents) } as const;
    const table = await of.uploadTable({ ...values, bins: [256, 256, 256, 256] } as TableValues, {});
    const request = { type: "u8", bins: 256, features: 4, documents, counts: true, squares: false } as const;
    const shape = (algorithm: WeightedMethod): SumsJob => {
      const planned = weightedPlan(algorithm, { ...request, precision: "reproducible" }, of.limits);
      const groups = [{ plan: planned, features: [0, 1, 2, 3], skip: [null, null, null, null] }];
      return { kind: "sums", table, groups, documents, listed: false, squares: false, timed: false };
    };
    const weights = Int32Array.from({ length: documents }, (_, i) => i - 100);
    const wanted = new Float64Array(256);
    for (let i = 0; i < documents; i++) wanted[bytes[documents + i]!]! += weights[i]!;
    for (const algorithm of ["weighted-fixed-point", "weighted-collision"] as const) {
      const prepared = await of.prepare<"sums">(shape(algorithm));
      const { launch } = prepared;
      expect(JSON.parse(JSON.stringify(launch))).toEqual(launch);
      expect(Object.isFrozen(launch.kernels)).toBe(true);
      expect((await of.prepare<"sums">(shape(algorithm))).launch).toEqual(launch);
      expect(launch.kernels).toMatchObject([{ name: algorithm, features: 4 }]);
      const twice = [0, 1].map(() => prepared.count({ weights, squares: null, documents: null }, {}));
      for (const { features } of await Promise.all(twice)) expect(features[1]!.sums).toEqual(wanted);
    }
    await table.free();
  });
});
