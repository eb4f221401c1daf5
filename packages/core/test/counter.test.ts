import { describe, expect, it } from "vitest";
import { integer, regular } from "../src/axis/axis.ts";
import { openEngine } from "../src/engine/open.ts";

describe("a counter", () => {
  it("counts in every way", async () => {
    await using engine = await openEngine();
    const counter = await engine.prepare({ type: "u8", axis: integer(0, 256) });
    const data = Uint8Array.of(1, 2, 2, 255);
    expect(counter.countSync(data)).toEqual(await engine.histogram(data));
    expect((await counter.count(data)).counts[2]).toBe(2);
    const all = await counter.countAll([data, new Uint8Array(3), new Uint8Array(0), new Uint8Array(100_000)]);
    expect(all.map((h) => h.sum())).toEqual([4, 3, 0, 100_000]);
    for (const input of [data, new Uint8Array(3), data]) await counter.accumulate(input);
    const total = await counter.take();
    expect([total.counts[0], total.counts[2], total.sum()]).toEqual([3, 4, 11]);
    expect((await counter.take()).sum()).toBe(0);
    await counter.free();
    const rgb = await engine.prepare({
      type: "f32",
      interleaved: 3,
      channels: [2, 0],
      axis: regular(4, 0, 1),
    });
    const both = await rgb.count({ data: Float32Array.of(0, 0.3, 0.9, 0, 0.3, 2), channels: 3 });
    expect(both.map((h) => [...h.counts, h.overflow])).toEqual([
      [0, 0, 0, 1, 1],
      [2, 0, 0, 0, 0],
    ]);
  });
});
