import { expect, it } from "vitest";
import { cpu, openEngine } from "../src/index.ts";
import { rejectionOf } from "./helpers.ts";

it("a list of indices whose memory was transferred is refused with a code, and the next one is counted", async () => {
  await using engine = await openEngine({ backend: cpu() });
  const data = Uint8Array.of(1, 2, 3);
  const gone = Uint32Array.of(0, 2);
  const counting = engine.histogram(data, { where: gone });
  gone.buffer.transfer();
  const error = await rejectionOf(counting);
  expect([error.code, error.message]).toEqual([
    "ERR_INPUT",
    "expected memory behind where but it was transferred or made smaller",
  ]);
  expect((await engine.histogram(data, { where: Uint32Array.of(0, 2) })).sum()).toBe(2);
});
