import { expect, test } from "vitest";
import { profileOf } from "../collect/profile.ts";
import { withShares } from "../src/data/ceilings.ts";
import { routeOf } from "../src/data/route.ts";
import { selection } from "../src/data/selection.ts";
import { memoryOf } from "../src/data/words.ts";
import { apart } from "../src/show/end-labels.ts";
import { csvOf } from "../src/show/export.ts";
import { binaryTicks, decimalTicks } from "../src/show/ticks.ts";
import { row } from "./rows.ts";

const read = (gbps: number) => row({ peer: "read", gbps });

test("memory: of the host, of the device, the bus by kind of host memory, storage", () => {
  expect(
    [
      row({ backend: "cpu" }),
      row({}),
      row({ residence: "upload", memory: "pinned" }),
      row({ residence: "upload" }),
      row({ residence: "file" }),
    ].map(memoryOf),
  ).toEqual([
    "host memory",
    "device memory",
    "bus from page-locked memory",
    "bus from pageable memory",
    "storage",
  ]);
});

test("a share that a file leaves out is against the ceiling of the same bytes and memory", () => {
  const shares = (rows: Parameters<typeof withShares>[0]) =>
    withShares(rows).map(({ ceilingPercent }) => ceilingPercent);
  expect(shares([row({ gbps: 50, call: "count" }), read(100)])).toEqual([50, null]);
  expect(shares([row({ gbps: 50, n: 8 }), read(100)])).toEqual([null, null]);
  expect(shares([row({ gbps: 50, ceilingPercent: 12 }), read(100)])).toEqual([12, null]);
  const copy = row({ peer: "copy", residence: "upload", variant: "memcpy on the host", gbps: 10 });
  expect(shares([row({ gbps: 5, residence: "upload" }), copy])).toEqual([null, null]);
});

test("files of a software adapter are selected when asked for, by the box or by the machine's name", () => {
  const real = { ...row({}).file, folder: "real" };
  const soft = { ...real, folder: "swiftshader", machine: { gpu: "SwiftShader" }, rows: 99 };
  const folders = (hash: string) =>
    selection([real, soft], routeOf(hash), "any machine").files.map(({ folder }) => folder);
  expect(folders("#v")).toEqual(["real"]);
  expect(folders("#v?software=1")).toEqual(["real", "swiftshader"]);
  expect(folders("#v?machine=swiftshader")).toEqual(["swiftshader"]);
  expect(selection([real, soft], routeOf("#v"), "one file").route.selected.get("machine")).toBe("real");
});

test("profiled kernels are taken from the notes of a file", () => {
  const value = (of: number) => ({ value: of });
  const terms = {
    "Ins/Byte": value(8),
    "DRAM bytes read": value(1024),
    "Throughput GB/s": value(2000),
    Cycles: value(200),
    "Time (ns)": value(100),
  };
  const notes = {
    "Table 1": [{ algorithm: "trish", k: 31, distribution: "zeros", n: 1024, terms }, { kernel: "x" }],
    device: { multiprocessors: 132 },
  };
  expect(profileOf(notes)).toEqual({
    multiprocessors: 132,
    kernels: [
      {
        name: "trish, k=31",
        distribution: "zeros",
        n: 1024,
        instructionsPerByte: 8,
        bytesRead: 1024,
        gbps: 2000,
        gigahertz: 2,
      },
    ],
  });
  expect(profileOf(undefined)).toEqual({ multiprocessors: null, kernels: [] });
});

test("ticks of logarithmic axes are round, inside of the axis, and no more than have room", () => {
  expect(decimalTicks(0.9, 120, 9)).toEqual([1, 2, 5, 10, 20, 50, 100]);
  expect(decimalTicks(0.9, 120, 5)).toEqual([1, 3, 10, 30, 100]);
  expect(decimalTicks(0.9, 120, 3)).toEqual([1, 10, 100]);
  expect(decimalTicks(1, 1e6, 4)).toEqual([1, 100, 1e4, 1e6]);
  expect(binaryTicks(60, 2 ** 12, 10)).toEqual([64, 128, 256, 512, 1024, 2048, 4096]);
  expect(binaryTicks(64, 2 ** 12, 4)).toEqual([64, 256, 1024, 4096]);
});

test("labels of line ends are at least a line apart, and stay in the frame", () => {
  expect(apart([10, 11, 50], 0, 100, 14)).toEqual([10, 24, 50]);
  expect(apart([98, 99, 97], 0, 100, 14)).toEqual([86, 100, 72]);
});

test("CSV has the values without links, and quotes quotes", () => {
  const link = { _$litType$: 1 } as never;
  expect(csvOf(["name", "GB/s", "runs"], [['a "b"', 1.5, link]])).toBe(
    '"name","GB/s"\r\n"a ""b""","1.5"\r\n',
  );
});
