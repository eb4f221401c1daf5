import { regular } from "@polybin/core";
import { type FeatureGroup, lower, type PlanRequest, plan, weightedPlan } from "@polybin/core/backend";
import { describe, expect, it } from "vitest";
import { splitFeatures } from "../src/memory/index.ts";
import { prepareChannels, prepareSums } from "../src/run/index.ts";
import { H200 } from "./host/backend.ts";

// The work of a device is computed in advance from numbers alone.

describe("a count that is prepared", () => {
  const prepared = (algorithm: string, interleaved = 1, parameters: PlanRequest["parameters"] = {}) => {
    const axis = regular(100, 0, 200);
    const lowering = lower(axis, "u8");
    const request = {
      algorithm,
      column: { type: "u8", lowering },
      samples: 1e6,
      channels: 1,
      parameters,
    } as const;
    return prepareChannels(
      { type: "u8", interleaved, channels: [0], lowering, plan: plan(request, H200) },
      2,
    );
  };

  it("is plain JSON, frozen, and equal for equal jobs", () => {
    const { launch } = prepared("per-lane");
    expect(JSON.parse(JSON.stringify(launch))).toEqual(launch);
    expect(launch).toEqual(prepared("per-lane").launch);
    expect(Object.isFrozen(launch) && Object.isFrozen(launch.own) && Object.isFrozen(launch.kernels)).toBe(
      true,
    );
    expect(launch).toMatchObject({
      devices: 2,
      kernels: ["per-lane"],
      lowering: "raw",
      countBytes: 4,
      codesBytes: 0,
    });
  });

  it("reports the needs of kernels of codes", () => {
    expect(prepared("trish", 1, { k: 7 }).launch).toMatchObject({
      kernels: ["trish", "merge"],
      own: { k: 7, rowSums: "pairs" },
      countBytes: 8,
    });
    const { launch } = prepared("trish", 3);
    expect(launch).toMatchObject({
      kernels: ["lower", "trish", "merge"],
      scratchBytes: launch.blocks * 256 * 4,
    });
    const atomic = prepared("trish", 1, { reduce: "atomic" }).launch;
    expect(atomic).toMatchObject({ kernels: ["trish"], scratchBytes: 0 });
    expect(launch.codesBytes).toBeGreaterThan(0);
    expect(prepared("global").launch).toMatchObject({ scratchBytes: 0, own: {}, countBytes: 4 });
  });

  it("contains the bytes of the algorithm's own struct", () => {
    expect([
      ...new Uint32Array(prepared("trish", 1, { k: 7, rowSums: "singletons" }).shape.own.buffer),
    ]).toEqual([7, 1]);
    expect([
      ...new Uint32Array(prepared("privatized", 1, { merge: "check-global" }).shape.own.buffer),
    ]).toEqual([3, 2]);
    expect(prepared("global").shape.own).toHaveLength(0);
  });
});

describe("sums that are prepared", () => {
  const of = weightedPlan(
    "weighted-collision",
    { type: "u8", bins: 100, features: 5, documents: 1e6, precision: "fast", counts: true, squares: false },
    H200,
  );
  const groups: FeatureGroup[] = [{ plan: of, features: [4, 0, 2, 1, 3], skip: [null, 7, null, null, null] }];
  const parts = splitFeatures(5, 2);

  it("are distributed to the devices that have the rows", () => {
    const { launch, parts: found } = prepareSums({ groups, documents: 1e6 }, parts);
    expect(found.map(({ device, launches }) => [device, launches.map(({ rows }) => [...rows])])).toEqual([
      [0, [[0, 1]]],
      [1, [[2, 0, 1]]],
    ]);
    expect(launch.launches.map(({ device, features, kernel }) => [device, features, kernel])).toEqual([
      [0, 2, "weighted-collision"],
      [1, 3, "weighted-collision"],
    ]);
    expect(JSON.parse(JSON.stringify(launch))).toEqual(launch);
    // A word has four bytes.
    expect(launch.launches[0]!.own).toEqual({ words: true, unroll: 4 });
  });
});
