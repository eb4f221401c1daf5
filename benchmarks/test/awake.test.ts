import { type Engine, openEngine } from "@polybin/core";
import { expect, it } from "vitest";
import { Awake } from "../src/runner/awake.ts";

it.each([
  ["wakes a device that sleeps by counts that overlap", { sleeps: true }, true],
  ["leaves a device that stays awake alone", { sleeps: false }, false],
  ["leaves software alone, which has no clock of its own", { sleeps: true, software: true }, false],
])("%s", async (_, device, isWoken) => {
  await using cpu = await openEngine();
  let [most, now, calls] = [0, 0, 0];
  const engine = {
    upload: cpu.upload.bind(cpu),
    async histogram(...args: Parameters<Engine["histogram"]>) {
      most = Math.max(most, ++now);
      const found = await cpu.histogram(...args);
      now--;
      return found;
    },
  } as unknown as Engine;
  const awake = new Awake(device, engine, 16);
  awake.worked();
  await awake.warmUp(async () => calls++, 3);
  expect(calls).toBe(3);
  expect(most > 1).toBe(isWoken);
});
