import { describeBackend } from "@polybin/conformance";
import { type CountRequest, cpu, type Engine, integer, openEngine, regular } from "@polybin/core";
import { afterAll, describe, expect, it } from "vitest";
import { CudaDevice } from "../src/device.ts";
import { H200, hosted, hostedBackend, NOT_BUILT } from "./host/backend.ts";

const two = () => {
  const native = hosted();
  return {
    ...hostedBackend(),
    id: "two",
    open: async () =>
      new CudaDevice("two", H200, [new native!.Context(0, false), new native!.Context(0, false)]),
  };
};

// Two devices that each have a part of the samples, of the mask and of the list.
describeBackend(
  two,
  { describe, it, afterAll },
  { filter: ({ topic, name }) => topic === "joint" && /mask|list|indices|groups|resident/.test(name) },
);

/** More than a piece of all columns together. */
const MANY = 12_000_005;

/** Counts with both engines. */
async function bothCount(call: (engine: Engine) => Promise<{ readonly counts: ArrayLike<number> }>) {
  await using oracle = await openEngine({ backend: cpu() });
  await using engine = await openEngine({ backend: two() });
  const [wanted, found] = [await call(oracle), await call(engine)];
  expect(found.counts).toEqual(wanted.counts);
  return found;
}

it("columns and the bits of a mask are cut into pieces at the same pixels", async ({ skip }) => {
  if (hosted() === null) return skip(NOT_BUILT);
  const x = Uint8Array.from({ length: MANY }, (_, i) => i * 7 + (i >> 12));
  const y = Uint16Array.from({ length: MANY }, (_, i) => (i * 31) >> 3);
  const bits = Uint8Array.from({ length: Math.ceil(MANY / 8) }, (_, i) => (i * 73) ^ (i >> 5));
  const axes = [regular(16, 0, 256), regular(8, 0, 65_536)];
  await bothCount((engine) => engine.joint([x, y], { axes, mask: { bits } }));
});

it("channels of one picture cross once", async ({ skip }) => {
  if (hosted() === null) return skip(NOT_BUILT);
  const data = Uint8Array.from({ length: 3 * 50_001 }, (_, i) => i * 5 + (i >> 9));
  const axes = [regular(16, 0, 256), regular(16, 0, 256), regular(16, 0, 256)];
  await bothCount((engine) => engine.joint({ data, channels: 3 }, { channels: [2, 0, 1], axes }));
});

it("a kernel that reads columns is the only one, and others follow one that writes cells", async ({
  skip,
}) => {
  if (hosted() === null) return skip(NOT_BUILT);
  await using engine = await openEngine({ backend: hostedBackend() });
  const bytes = { type: "u8", axis: integer(0, 256) } as const;
  const doubles = { type: "f64", axis: regular(10, 0, 1) } as const;
  const explained = (request: Omit<CountRequest, "samples">) =>
    engine.explain({ samples: 1e6, ...request } as CountRequest);
  const direct = await explained({ columns: [bytes, bytes] });
  expect(direct.launch).toMatchObject({ kernels: ["fused"], cellsBytes: 0 });
  expect(direct.plan).toMatchObject({ table: "packed", counterBits: 16 });
  const written = await explained({ columns: [bytes, doubles] });
  expect(written.launch).toMatchObject({ kernels: ["cells", "fused"], cellsBytes: 33_554_432 });
  expect((await explained({ columns: [bytes, bytes], where: true })).launch).toMatchObject({
    kernels: ["cells", "fused"],
  });
  expect((await explained({ columns: [doubles, doubles], algorithm: "per-block" })).launch).toMatchObject({
    kernels: ["cells", "per-block"],
  });
});

it("16-bit integers with one bin for each value are counted by fused, without codes", async ({ skip }) => {
  if (hosted() === null) return skip(NOT_BUILT);
  await using engine = await openEngine({ backend: hostedBackend() });
  const whole = await engine.explain({ type: "u16", axis: integer(0, 65_536), samples: 1e6 });
  expect(whole).toMatchObject({ algorithm: "fused", launch: { kernels: ["fused"], codesBytes: 0 } });
  const part = await engine.explain({ type: "u16", axis: integer(0, 60_000), samples: 1e6 });
  expect(part.algorithm).not.toBe("fused");
  const x = Int16Array.from({ length: 100_003 }, (_, i) => i * 3 - 50_000);
  await bothCount((of) => of.histogram(x, { axis: integer(-32_768, 32_768) }));
});
