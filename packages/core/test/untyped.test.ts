import { expect, it } from "vitest";
import { integer, regular } from "../src/axis/index.ts";
import { openEngine } from "../src/engine/open.ts";
import { rejectionOf } from "./helpers.ts";

const words = Uint16Array.of(1, 258, 258, 7);
const axis = integer(0, 300);

/** Plain memory: it has no type of its own. */
const PLAIN = [
  ["ArrayBuffer", words.buffer],
  ["SharedArrayBuffer", sharedCopy(words)],
  ["DataView", new DataView(words.buffer)],
] as const;

function sharedCopy(of: Uint16Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(of.byteLength);
  new Uint16Array(shared).set(of);
  return shared;
}

it.each(PLAIN)("%s is counted as the type that a call names", async (_, data) => {
  await using engine = await openEngine();
  const asWords = await engine.histogram(data, { type: "u16", axis });
  expect([asWords.type, asWords.sum(), asWords.counts[258]]).toEqual(["u16", 4, 2]);
  const [each] = await engine.histograms(data, { type: "u16", axis });
  expect(each!.counts[258]).toBe(2);
  const [own] = await engine.histograms(data, { type: "u16", axes: [axis] });
  expect(own!.counts[258]).toBe(2);
  const told = await engine.histogram(data, { type: "u16", axis, onProgress: () => {} });
  expect(told.counts[258]).toBe(2);
  await using counter = await engine.prepare({ type: "u16", axis });
  expect((await counter.count(data)).counts[258]).toBe(2);
  expect(counter.countSync(data).counts[258]).toBe(2);
  expect((await counter.countAll([data]))[0]!.counts[258]).toBe(2);
  await counter.accumulate(data);
  expect((await counter.take()).counts[258]).toBe(2);
  expect((await engine.histogram(data)).type).toBe("u8");
});

it("arrays and descriptions keep their own type, and a length that does not fit is refused", async () => {
  await using engine = await openEngine();
  for (const data of [words, { data: words.buffer, type: "u8" as const }]) {
    expect(await rejectionOf(engine.histogram(data, { type: "u32", axis }))).toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("the type of these samples"),
    });
  }
  const odd = engine.histogram(new ArrayBuffer(7), { type: "f32", axis: regular(2, 0, 1) });
  expect(await rejectionOf(odd)).toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("whole number of f32 samples"),
  });
  expect((await engine.histogram(new ArrayBuffer(8), { type: "u16" })).sum()).toBe(4);
});
