import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, integer, openEngine, regular } from "../src/index.ts";
import { rejectionOf } from "./helpers.ts";

const X = Float32Array.of(0.1, 0.6, 0.7, 9, Number.NaN, 0.2, -1);
const COUNTS = Uint8Array.of(0, 1, 2, 3, 4, 5, 6);
const A = Float32Array.of(1, 2, 4, 8, 16, 32, 64);
const B = Float64Array.of(0.1, -0.2, 1e300, 1e-300, 5e-324, -0, 3);
const C = [3, 1, 4, 1, 5, 9, 2];
const LIST = [A, B, C] as const;
const axis = regular(2, 0, 1);
const by = { codes: Uint8Array.of(0, 1, 0, 1, 2, 2, 2), groups: 3 };
const rgb = { data: Float32Array.from({ length: 14 }, (_, i) => i / 14), channels: 2 };

async function* stream(data: Float32Array | Float64Array) {
  const bytes = new Uint8Array(data.buffer);
  for (let at = 0; at < bytes.length; at += 12) yield bytes.slice(at, at + 12);
}

/** Everything that a result says. */
const numbersOf = (of: unknown) => JSON.stringify(of);
/** The same, without the limbs, whose exponents a stream does not know beforehand. */
const sumsOf = (of: unknown) =>
  JSON.stringify(of, (name, value) => (name.startsWith("limbs") ? undefined : value));

async function expectRejection(work: Promise<unknown>, code: string, ...says: readonly string[]) {
  const error = await rejectionOf(work);
  expect(error.code, error.message).toBe(code);
  for (const one of says) expect(error.message).toContain(one);
}

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});

describe("several columns of weights", () => {
  const SELECTIONS: Record<string, object> = {
    none: {},
    squares: { squares: true, weights: [A, A, C] },
    fast: { precision: "fast", weights: [A, A.map((weight) => weight / 3), C] },
    mask: { mask: Uint8Array.of(1, 0, 1, 1, 1, 0, 1) },
    where: { where: Uint32Array.of(6, 0, 0, 3) },
    by: { by },
    "one column": { weights: [B] },
    "an algorithm": { algorithm: "weighted-fixed-point" },
  };
  for (const [name, selection] of Object.entries(SELECTIONS)) {
    it(`equal calls with each of them: ${name}`, async () => {
      const { weights = LIST, ...options } = { axis, ...selection } as never as { weights?: typeof LIST };
      const calls = [
        (more: object) => engine.histogram(X, { ...options, ...more } as never),
        (more: object) => {
          const { axis: _, ...others } = options as { axis?: unknown };
          return engine.joint([X, COUNTS], { axes: [axis, integer(0, 4)], ...others, ...more } as never);
        },
        ...("by" in selection
          ? []
          : [(more: object) => engine.segments(X, { every: 3 }, { ...options, ...more } as never)]),
      ];
      for (const call of calls) {
        const all = (await call({ weights })) as unknown as unknown[];
        expect(all).toHaveLength(weights.length);
        for (const [k, one] of weights.entries()) {
          expect(numbersOf(all[k]), `column ${k}`).toBe(numbersOf(await call({ weights: one })));
        }
      }
    });
  }

  it("give each channel a list of results", async () => {
    const found = await engine.histograms(rgb, { axis, weights: LIST });
    for (const [k, weights] of LIST.entries()) {
      const wanted = await engine.histograms(rgb, { axis, weights });
      expect(found.map((all) => numbersOf(all[k]))).toEqual(wanted.map(numbersOf));
    }
  });

  it("have arrays of their own", async () => {
    const [a, b] = await engine.histogram(X, { axis, weights: [A, B] });
    a.counts.fill(99);
    expect([...b.counts]).toEqual([2, 2]);
  });

  it("may be arrays of numbers", async () => {
    const [a, c] = await engine.histogram(X, { axis, weights: [[...A], C] });
    expect([[...a.sums], [...c.sums]]).toEqual([
      [33, 6],
      [12, 5],
    ]);
  });

  it("may be streams beside samples in memory or in a stream, and channels of one stream", async () => {
    const wanted = await engine.histogram(X, { axis, weights: [A, B] });
    const typed = [
      { input: stream(A), type: "f32" },
      { input: stream(B), type: "f64" },
    ] as const;
    expect(sumsOf(await engine.histogram(X, { axis, weights: typed }))).toBe(sumsOf(wanted));
    const more = { type: "f32", axis } as const;
    expect(sumsOf(await engine.histogram(stream(X), { ...more, weights: [A, B] }))).toBe(sumsOf(wanted));
    const both = stream(Float32Array.from({ length: 14 }, (_, i) => (i % 2 === 0 ? A : C)[i >> 1]!));
    const weights = [0, 1].map((channel) => ({ input: both, type: "f32", interleaved: 2, channel }) as const);
    const found = await engine.histogram(X, { axis, weights });
    expect(sumsOf(found)).toBe(sumsOf(await engine.histogram(X, { axis, weights: [A, C] })));
    const twice = stream(A);
    const other = [
      { input: twice, type: "f32" },
      { input: twice, type: "f64" },
    ] as const;
    await expectRejection(engine.histogram(X, { axis, weights: other }), "ERR_INPUT", "f64");
  });

  it("go with counters", async () => {
    const columns = [{ type: "f32", axis }] as const;
    const counter = await engine.prepare({ columns, weights: ["f32", "f64"] });
    const wanted = numbersOf(await engine.histogram(X, { axis, weights: [A, B] }));
    const input = { columns: [X], weights: [A, B] };
    expect(numbersOf(await counter.count(input))).toBe(wanted);
    expect((await counter.countAll([input, input])).map(numbersOf)).toEqual([wanted, wanted]);
    await counter.accumulate(input);
    await counter.accumulate({ columns: [X], weights: [A, B] });
    const [twice] = await counter.take();
    expect([...twice.sums]).toEqual([66, 12]);
    const [none] = await counter.take();
    expect([...none.sums]).toEqual([0, 0]);
    const refused = (weights: unknown, says: string) =>
      expectRejection(counter.count({ columns: [X], weights } as never), "ERR_INPUT", says);
    await refused([A], "a list of 2 columns for weights but received a list of 1");
    await refused(A, "a list of 2 columns for weights");
    const one = await engine.prepare({ columns, weights: "f32" });
    await expectRejection(
      one.count({ columns: [X], weights: [A, B] }),
      "ERR_INPUT",
      "one column for weights",
    );
    await expectRejection(engine.prepare({ columns, weights: [] }), "ERR_INPUT", "at least one column");
    const wrong = ["f32", "u8"] as never;
    await expectRejection(engine.prepare({ columns, weights: wrong }), "ERR_INPUT", "weights[1]");
  });

  it("are refused with the name of the column", async () => {
    const refused = (weights: unknown, code: string, ...says: string[]) =>
      expectRejection(engine.histogram(X, { axis, squares: true, weights } as never), code, ...says);
    await refused([], "ERR_INPUT", "7, one per sample, for weights.length but received 0");
    await refused([A, B.subarray(1)], "ERR_INPUT", "7, one per sample, for weights[1].length but received 6");
    await refused([A, 3], "ERR_INPUT", "weights[1] but received 3");
    await refused([A, null], "ERR_INPUT", "weights[1] but received null");
    await refused([A, Uint8Array.of(1)], "ERR_INPUT", "weights[1]");
    await refused([A, [1, 2, 3, 4, 5, 6, "7"]], "ERR_INPUT", "weights[1][6]");
    await refused([A, A.with(3, Number.NaN)], "ERR_INPUT", "weights[1][3]");
    await refused([A, B.with(3, 1e200)], "ERR_LIMIT", "weights[1][2] is 1e+300");
    await refused([A, {}], "ERR_INPUT", "weights[1]: expected a typed array");
    await refused([A, { input: A, type: "u8" }], "ERR_INPUT", "weights[1]: expected f32");
    const pairs = { data: new Float32Array(2 * A.length), channels: 2 };
    await refused([A, pairs], "ERR_INPUT", "weights[1]: expected one channel but these samples have 2");
    await refused(Array(17).fill(A), "ERR_LIMIT", "at most 16 columns", "17");
    const big = Float64Array.of(...Array(7).fill(Number.MAX_VALUE));
    await expectRejection(engine.histogram(X, { axis, weights: [A, big] }), "ERR_LIMIT", "scale weights[1]");
    const short = engine.histogram(stream(X), { type: "f32", axis, weights: [A, A.subarray(2)] });
    await expectRejection(short, "ERR_INPUT", "weights[1].length");
    const longer = engine.histogram(X, {
      axis,
      weights: [A, { input: new Blob([new Float32Array(9)]), type: "f32" }],
    });
    await expectRejection(longer, "ERR_INPUT", "weights[1]");
    async function* pieces() {
      yield new Float32Array(9);
    }
    const endless = engine.histogram(X, { axis, weights: [A, pieces()] });
    const says = "as many as the samples, 7, for weights[1] but received at least 9";
    await expectRejection(endless, "ERR_INPUT", says);
    const both = Array(16).fill(A);
    expect(await engine.histogram(X, { axis, weights: both })).toHaveLength(16);
  });

  it("are explained", async () => {
    const request = { type: "f32", axis, samples: 100, weights: ["f32", "f64"] } as const;
    const { host } = await engine.explain(request);
    expect(host[0]).toContain("reads 16 bytes per sample");
  });
});
