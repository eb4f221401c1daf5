import { copyCeiling, cuda, deviceMemory, pinned, readCeiling } from "@polybin/cuda";
import { expect, it } from "vitest";

const probe = await cuda().probe();
const MIB = 2 ** 20;

it.each<[string, () => unknown, string]>([
  ["a negative device", () => readCeiling({ device: -1, bytes: MIB }), "for device but received -1"],
  ["less than one load", () => readCeiling({ bytes: 15 }), "at least 16 for bytes but received 15"],
  ["no rounds", () => copyCeiling({ bytes: 1, rounds: 0, memory: "pinned" }), "at least 1 for rounds"],
  ["part of a byte", () => copyCeiling({ bytes: 0.5, memory: "pinned" }), "for bytes but received 0.5"],
  [
    "other memory",
    () => copyCeiling({ bytes: 1, memory: "mapped" as never }),
    "pinned or pageable for memory",
  ],
  ["no device", () => deviceMemory({ device: Number.NaN }), "for device but received NaN"],
  ["a negative length", () => pinned(-1), "for bytes but received -1"],
])("refuses %s", async (_, call, words) => {
  await expect((async () => call())()).rejects.toMatchObject({
    code: "ERR_INPUT",
    backend: "cuda",
    message: expect.stringContaining(words),
  });
});

it.each<[string, (wrong: never) => unknown, string, string]>([
  ["readCeiling", readCeiling, "byts", "bytes"],
  ["copyCeiling", copyCeiling, "memroy", "memory"],
  ["deviceMemory", deviceMemory, "devcie", "device"],
  ["cuda", cuda, "devcies", "devices"],
])("a slip of the pen in the options of %s is an error", async (_, call, wrong, right) => {
  for (const value of [1, undefined]) {
    await expect((async () => call({ [wrong]: value } as never))()).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining(`did you mean ${right}? received ${wrong}`),
    });
  }
});

it("says that there is no device", async (test) => {
  if (probe.available) return test.skip(`there is one: ${probe.device}`);
  const calls = [
    () => readCeiling({ bytes: MIB }),
    () => copyCeiling({ bytes: MIB, memory: "pageable" }),
    () => deviceMemory(),
    async () => pinned(MIB),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "ERR_UNAVAILABLE" });
});

it("measures how fast a device reads and is copied to", async (test) => {
  if (!probe.available) return test.skip(probe.reason);
  const read = await readCeiling({ bytes: 64 * MIB, rounds: 3 });
  expect(read.gbps).toBeGreaterThan(1);
  expect(read.rows.map(({ variant }) => variant)).toContain(read.variant);
  expect(new Set(read.rows.map(({ blocks }) => blocks))).toEqual(new Set([4, 8, 16, 32]));
  for (const { ms } of read.rows) expect(ms).toHaveLength(3);
  for (const memory of ["pinned", "pageable"] as const) {
    const copy = await copyCeiling({ bytes: 64 * MIB, rounds: 3, memory });
    expect(copy.gbps).toBeGreaterThan(0.1);
    expect(copy.ms).toHaveLength(3);
  }
  const { free, total } = await deviceMemory();
  expect(free).toBeLessThanOrEqual(total);
});
