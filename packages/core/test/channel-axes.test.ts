import { afterAll, describe, expect, it } from "vitest";
import {
  type Axis,
  boolean,
  category,
  circular,
  cpu,
  type Histogram,
  integer,
  log,
  openEngine,
  regular,
  type SampleType,
  variable,
} from "../src/index.ts";
import { arrayOf, random, rejectionOf } from "./helpers.ts";

const engine = await openEngine({ backends: [cpu()] });
afterAll(() => engine.close());

const AXES: readonly Axis[] = [
  regular(7, -3, 40),
  regular(5, 0, 100, { closed: false }),
  integer(2, 9),
  variable([-Infinity, 0, 5, 7.5]),
  variable([0, 10, Infinity]),
  category([40, 3, -1, 5]),
  boolean(),
  log(4, 1, 100),
];

const numbers = (of: Histogram): number[] => [...of.counts, of.underflow, of.overflow, of.nan];

describe("an axis for each channel", () => {
  const types = ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"] as const;

  it.each(types)("counts as one call per channel does, %s", async (type: SampleType) => {
    const next = random(3);
    const values = Array.from({ length: 4 * 500 }, () => Math.floor(next() * 110));
    if (type.startsWith("f")) values.splice(0, 8, Number.NaN, Infinity, -Infinity, -0, 40, 100, 7.5, 39.999);
    if (!type.startsWith("u")) values.splice(20, 4, -3, -1, -4, 40);
    const picture = { data: arrayOf(type, values), channels: 4 };
    for (let first = 0; first + 4 <= AXES.length; first++) {
      const axes = AXES.slice(first, first + 4);
      const found = await engine.histograms(picture, { axes });
      for (const [channel, axis] of axes.entries()) {
        const one = await engine.histogram(picture, { axis, channel });
        expect(numbers(found[channel]!)).toEqual(numbers(one));
        expect([found[channel]!.axis, [...found[channel]!.edges]]).toEqual([axis, [...one.edges]]);
        expect([found[channel]!.type, found[channel]!.backend]).toEqual([type, "cpu"]);
      }
    }
  });

  it("goes with chosen channels, streams, residents, f16 and short circles", async () => {
    const data = Uint16Array.from({ length: 300 }, (_, i) => (i * i) % 50);
    const picture = { data, channels: 3 };
    const axes = [circular(4, 24), integer(0, 9)];
    const expected = await Promise.all(
      axes.map(async (axis, i) => numbers(await engine.histogram(picture, { axis, channel: 2 - i }))),
    );
    const chosen = await engine.histograms(picture, { axes, channels: [2, 1], timings: true });
    expect(chosen.map(numbers)).toEqual(expected);
    expect(chosen[0]!.timings).not.toBeNull();
    const three = [integer(0, 3), circular(4, 24), boolean()];
    const all = (await engine.histograms(picture, { axes: three })).map(numbers);
    const stream = new Blob([data]).stream();
    const streamed = await engine.histograms(stream, { axes: three, type: "u16", interleaved: 3 });
    expect(streamed.map(numbers)).toEqual(all);
    const resident = await engine.upload(picture);
    expect((await engine.histograms(resident, { axes: three })).map(numbers)).toEqual(all);
    await resident.free();
    const halves = { data: data.buffer, type: "f16", channels: 3 } as const;
    const ofHalves = await engine.histograms(halves, {
      axes: [regular(2, 0, 1e-6), boolean(), integer(0, 1)],
    });
    expect(numbers(ofHalves[2]!)).toEqual(
      numbers(await engine.histogram(halves, { axis: integer(0, 1), channel: 2 })),
    );
  });

  it("counts f16 around a circle, in every bit pattern", async () => {
    const data = Uint16Array.from({ length: 131_072 }, (_, i) => i >> 1);
    const halves = { data: data.buffer, type: "f16", channels: 2 } as const;
    for (const axes of [
      [circular(4, 1), circular(5, -0.3, 2 ** -9)],
      [circular(3, -1e5, 1e9), regular(2, 0, 1)],
    ]) {
      const found = await engine.histograms(halves, { axes });
      for (const [channel, axis] of axes.entries())
        expect(numbers(found[channel]!)).toEqual(numbers(await engine.histogram(halves, { axis, channel })));
    }
  });

  it.each(["f32", "f64"] as const)("counts Infinity over ends of every kind, %s", async (type) => {
    const most = type === "f64" ? Number.MAX_VALUE : (2 - 2 ** -23) * 2 ** 127;
    const axes = [
      variable([-Infinity, 0, Infinity]),
      variable([0, most]),
      variable([0, Infinity], { closed: false }),
      regular(2, 0, 1),
    ];
    const values = [Infinity, -Infinity, Number.NaN, most, 0, 1, -0, -most, 0.5];
    const data = arrayOf(
      type,
      values.flatMap((value) => axes.map(() => value)),
    );
    const found = await engine.histograms({ data, channels: axes.length }, { axes });
    for (const [k, axis] of axes.entries()) {
      expect([k, numbers(found[k]!)]).toEqual([
        k,
        numbers(await engine.histogram(arrayOf(type, values), { axis })),
      ]);
    }
    expect(numbers(found[1]!)).toEqual([5, 2, 1, 1]);
  });

  it("is refused if it does not fit", async () => {
    const picture = { data: new Float32Array(6), channels: 3 };
    const refused = async (options: object, input: unknown = picture) => {
      const { code, message } = await rejectionOf(engine.histograms(input as never, options as never));
      return `${code}: ${message}`;
    };
    const axis = regular(2, 0, 1);
    expect(await refused({ axes: [axis, axis] })).toContain(
      "ERR_INPUT: expected an array of 3, one per channel,",
    );
    expect(await refused({ axes: axis })).toContain("ERR_INPUT");
    expect(await refused({ axes: [axis, axis, axis], bins: 3 })).toContain("either axes or bins");
    expect(await refused({ axes: [axis, axis, { type: "regular" }] })).toContain("ERR_AXIS");
    expect(await refused({ axes: [axis, axis, axis], chanels: [0] })).toContain("chanels");
    expect(await refused({ axes: [axis, axis, circular(3, 360)] })).toContain("ERR_UNSUPPORTED");
    expect(await refused({ axes: [axis] }, new BigInt64Array(3))).toContain("ERR_UNSUPPORTED");
    const many = [regular(65_536, 0, 1), regular(65_536, 0, 2), axis];
    expect(await refused({ axes: many }, { data: new Float64Array(3), channels: 3 })).toContain("ERR_LIMIT");
  });
});
