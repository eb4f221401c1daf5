import { describe, expect, it } from "vitest";
import { selectPlan } from "../src/algorithms/choice/select.ts";
import {
  algorithm,
  FUSED_HIGH,
  FUSED_PACKED_BYTES,
  FUSED_SPILL,
  FUSED_THREADS,
  FUSED_UNIT,
  type FusedTable,
} from "../src/algorithms/fused.ts";
import { reference } from "../src/algorithms/references/fused.ts";
import { integer, type OrderedAxis, regular } from "../src/axis/index.ts";
import type { DeviceLimits } from "../src/base/device.ts";
import { WARP_THREADS } from "../src/base/index.ts";
import type { SampleType } from "../src/input/index.ts";
import { lower } from "../src/lowering/index.ts";
import { type CellsPlan, describePlan, jointPlanBy } from "../src/plan/index.ts";
import { gpu, named, planRequest, workers } from "./helpers.ts";

/** Shared memory of an H200 and of a device through Vulkan. */
const H200 = gpu({ units: 132, sharedBytes: 232_448 });
const VULKAN = gpu({ units: 132, sharedBytes: 49_152, warpBarriers: false });

type Column = readonly [SampleType, OrderedAxis];

function planOf(limits: DeviceLimits, ...columns: readonly Column[]): CellsPlan {
  const request = {
    columns: columns.map(([type, axis]) => lower(axis, type)),
    samples: 2 ** 20,
    mask: "none",
    listed: false,
  } as const;
  const found = jointPlanBy(algorithm, {}, request, limits);
  if (typeof found === "string") throw new Error(found);
  return found;
}

const bytes = (bins: number): Column => ["u8", bins === 256 ? integer(0, 256) : regular(bins, 0, 256)];
const floats = (bins: number): Column => ["f32", regular(bins, 0, 1)];

describe("the plan of fused", () => {
  it("keeps counters where they fit: copies, 16-bit counters, or global memory", () => {
    for (const [limits, columns, table, bits] of [
      [H200, [bytes(64), bytes(64)], "replicas", 32],
      [H200, [bytes(16), bytes(16), bytes(16)], "replicas", 32],
      [H200, [floats(100), floats(100)], "replicas", 32],
      [H200, [bytes(256), bytes(256)], "packed", 16],
      [H200, [floats(1000), floats(1000)], "global", 32],
      [VULKAN, [bytes(64), bytes(64)], "replicas", 32],
      [VULKAN, [bytes(256), bytes(256)], "replicas", 32],
      [VULKAN, [floats(1000), floats(1000)], "global", 32],
      [workers(), [bytes(64), bytes(64)], "replicas", 32],
      [workers(), [bytes(256), bytes(256), bytes(256)], "global", 32],
    ] as const) {
      const plan = planOf(limits, ...columns);
      expect([plan.table, plan.counterBits]).toEqual([table, bits]);
      if (limits.kind === "gpu") expect(plan.sharedBytes).toBeLessThanOrEqual(limits.sharedBytes);
      expect(plan.staged).toBe(false);
    }
  });

  it("counts a window of cells per pass on a device without packed counters", () => {
    const { passes, cellsPerPass, cells } = planOf(VULKAN, bytes(256), bytes(256));
    expect(passes).toBeGreaterThan(1);
    expect(cellsPerPass * passes).toBeGreaterThanOrEqual(cells);
    expect(cellsPerPass * 4).toBeLessThanOrEqual(VULKAN.sharedBytes);
  });

  it("never lets a 16-bit counter overflow, whatever all warps of a block add before they wait", () => {
    const warps = FUSED_THREADS / WARP_THREADS;
    expect(FUSED_HIGH - 1 + FUSED_UNIT * (1 + warps)).toBeLessThan(2 ** 16);
    expect(FUSED_HIGH).toBeGreaterThan(FUSED_SPILL + FUSED_UNIT);
  });

  it("takes packed counters only where what comes before them fits, too", () => {
    const columns = [bytes(256), bytes(256)] as const;
    const { sharedBytes, own } = planOf(H200, ...columns);
    const counters = 2 * ((own as FusedTable).slots + 1);
    expect(sharedBytes).toBeGreaterThanOrEqual(FUSED_PACKED_BYTES + counters);
    expect(planOf(gpu({ units: 132, sharedBytes }), ...columns).table).toBe("packed");
    expect(planOf(gpu({ units: 132, sharedBytes: counters }), ...columns).table).toBe("global");
  });

  it("is printed with its cells", () => {
    expect(describePlan(planOf(H200, bytes(256), bytes(16)))).toContain(
      "fused: 4096 cells (256 raw x 16 raw >> 4), 132 x 1024 threads",
    );
  });
});

describe("the reference of fused", () => {
  const codes = Uint32Array.from({ length: 50_000 }, (_, i) => (i % 3 === 0 ? 7 : (i * 31) % 41));
  const launch = {
    parameters: {},
    threads: 64,
    blocks: 2,
    wordsPerThread: null,
    replicas: 1,
    counterBits: 32,
    cellsPerPass: 40,
    sharedBytes: 160,
  } as const;

  it.each([
    ["copies", { replicas: 4 }],
    ["16-bit counters that spill", { counterBits: 16 }],
    ["global memory", { sharedBytes: 0 }],
    ["passes", { cellsPerPass: 13 }],
  ] as const)("counts with %s, and skips codes that are not cells", (_, change) => {
    const expected = new Float64Array(40);
    const all = Uint32Array.from([...codes, ...new Uint32Array(70_000).fill(3)]);
    for (const code of all) if (code < 40) expected[code]!++;
    expect(reference(all, { ...launch, ...change }, 40)).toEqual(expected);
  });
});

describe("auto", () => {
  const chosen = (bins: number, type: SampleType, limits: DeviceLimits): string => {
    const lowering = { kind: "direct", bins, flow: bins < 65_536 || type !== "u16" } as const;
    const { algorithm: _, ...request } = planRequest("", { type, lowering });
    return selectPlan(request, limits, named("global", "per-lane", "fused"), () => null).algorithm;
  };

  it("counts all values of 16 bits by fused, if packed counters fit", () => {
    expect(chosen(65_536, "u16", H200)).toBe("fused");
    expect(chosen(58_112, "u16", H200)).toBe("per-lane");
    expect(chosen(65_536, "u32", H200)).toBe("per-lane");
    expect(chosen(65_536, "u16", VULKAN)).toBe("per-lane");
    expect(chosen(65_536, "u16", workers())).toBe("per-lane");
  });
});
