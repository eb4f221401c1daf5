import { cuda, deviceMemory, pinned } from "@polybin/cuda";
import { expect, it } from "vitest";

const probe = await cuda().probe();
const MIB = 2 ** 20;

it.each<[string, () => unknown, string]>([
  ["a negative device", () => deviceMemory({ device: -1 }), "for device but received -1"],
  ["no device", () => deviceMemory({ device: Number.NaN }), "for device but received NaN"],
  ["a negative length", () => pinned(-1), "for bytes but received -1"],
  ["part of a byte", () => pinned(0.5), "for bytes but received 0.5"],
])("refuses %s", async (_, call, words) => {
  await expect((async () => call())()).rejects.toMatchObject({
    code: "ERR_INPUT",
    backend: "cuda",
    message: expect.stringContaining(words),
  });
});

it.each<[string, (wrong: never) => unknown, string, string]>([
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
  for (const call of [() => deviceMemory(), async () => pinned(MIB)])
    await expect(call()).rejects.toMatchObject({ code: "ERR_UNAVAILABLE" });
});

it("states a device's memory", async (test) => {
  if (!probe.available) return test.skip(probe.reason);
  const { free, total } = await deviceMemory();
  expect(free).toBeLessThanOrEqual(total);
});
