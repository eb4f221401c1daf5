import { isPolybinError } from "@polybin/core";
import { describe, expect, it } from "vitest";
import type { NativeDevice } from "../src/border/index.ts";
import { type CudaOptions, chooseDevices, wantedDevices } from "../src/platform/index.ts";

const H200: NativeDevice = {
  name: "NVIDIA H200",
  units: 132,
  warp: 32,
  sharedBytes: 232_448,
  blockThreads: 1024,
  unitThreads: 2048,
  unitBlocks: 32,
  unitSharedBytes: 233_472,
  reservedBytes: 1024,
  memoryBytes: 2 ** 37,
  capability: "9.0",
};

describe("which devices are wanted", () => {
  it.each<[CudaOptions, readonly number[] | "all"]>([
    [{}, [0]],
    [{ device: 3 }, [3]],
    [{ devices: [2] }, [2]],
    [{ devices: [1, 0] }, [1, 0]],
    [{ devices: "all" }, "all"],
  ])("%j", (options, wanted) => {
    expect(wantedDevices(options)).toEqual(wanted);
  });

  it.each<[unknown, string]>([
    [{ devcie: 0 }, "did you mean device? received devcie"],
    [{ exactTiming: undefined }, "did you mean exactTimings? received exactTiming"],
    [{ exactTimings: 1 }, "true or false for exactTimings but received 1"],
    [0, "an object for options but received 0"],
    [[0], "an object for options but received a list of 1"],
    [{ device: -1 }, "a whole number of at least 0 for device but received -1"],
    [{ device: 0.5 }, "0.5"],
    [{ device: Number.NaN }, "NaN"],
    [{ device: "0" }, "for device"],
    [{ device: 0, devices: [0] }, "either device or devices but received both"],
    [{ devices: [] }, 'numbers of devices or "all" for devices but received []'],
    [{ devices: "some" }, 'but received "some"'],
    [{ devices: 2 }, "but received 2"],
    [{ devices: [0, 1.5] }, "for devices[1] but received 1.5"],
    [{ devices: [0, 1, 0] }, "each number once for devices but received [0,1,0]"],
  ])("refuses %j", (options, words) => {
    const error = errorOf(() => wantedDevices(options as CudaOptions));
    expect([error.code, error.message]).toEqual(["ERR_INPUT", expect.stringContaining(words)]);
  });
});

describe("which devices are chosen", () => {
  it("selects one, and several", () => {
    expect(chooseDevices([1], [H200, H200])).toMatchObject({ numbers: [1], name: "NVIDIA H200" });
    expect(chooseDevices("all", [H200])).toMatchObject({ numbers: [0], name: "NVIDIA H200" });
    expect(chooseDevices("all", [H200, H200])).toMatchObject({ numbers: [0, 1], name: "2 x NVIDIA H200" });
    const named = { ...H200, name: "NVIDIA H200 NVL" };
    expect(chooseDevices([2, 0, 1], [H200, H200, named]).name).toBe("1 x NVIDIA H200 NVL, 2 x NVIDIA H200");
  });

  it("reports the device that does not exist", () => {
    const error = errorOf(() => chooseDevices([0, 2], [H200, H200]));
    expect([error.code, error.message]).toEqual(["ERR_UNAVAILABLE", "no CUDA device 2: this machine has 2"]);
    expect(errorOf(() => chooseDevices("all", [])).code).toBe("ERR_UNAVAILABLE");
  });

  it.each([
    ["units", 78, "the number of multiprocessors is 132 on device 0 (NVIDIA H200) and 78 on device 1"],
    ["sharedBytes", 101_376, "shared memory of a block"],
    ["capability", "12.0", "compute capability is 9.0"],
  ])("refuses those that are not alike: %s", (key, value, words) => {
    const error = errorOf(() => chooseDevices("all", [H200, { ...H200, [key]: value }]));
    expect([error.code, error.message]).toEqual(["ERR_UNSUPPORTED", expect.stringContaining(words)]);
  });

  it("ignores differences in memory size", () => {
    expect(chooseDevices("all", [H200, { ...H200, memoryBytes: 1 }]).numbers).toEqual([0, 1]);
  });
});

function errorOf(call: () => unknown) {
  try {
    call();
  } catch (error) {
    if (isPolybinError(error)) return error;
    throw error;
  }
  throw new Error("expected an error");
}
