import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Engine, openEngine, regular } from "@polybin/core";
import { native } from "@polybin/native";
import { beforeEach, describe, expect, it, type TestContext } from "vitest";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
const probe = await native().probe();

beforeEach((test: TestContext) => {
  if (!probe.available) test.skip(probe.reason);
});

/** More than the calling thread counts itself. */
const N = 1_200_003;
const EVERY = 1000;
const BINS = 3;
const axis = regular(BINS, 0, 256);

type Bytes = Uint8Array<ArrayBuffer>;

/** Makes bytes over memory that can be taken away: the first ones of `from`. */
type Make = (length: number, from?: Uint8Array) => Bytes;

const RANDOM = Uint8Array.from({ length: N }, (_, i) => Math.imul(i, 2_654_435_761) >>> 13);
const MASK = RANDOM.map((byte) => byte % 3);
const WEIGHTS = new Uint8Array(Float32Array.from(MASK).buffer);
const ZEROS = new Uint8Array(N);

const over =
  (more: object): Make =>
  (length, from = RANDOM) => {
    const bytes = new Uint8Array(new ArrayBuffer(length, more), 0, length);
    bytes.set(from.subarray(0, length));
    return bytes;
  };

const WAYS: Record<string, { readonly make: Make; take(buffer: ArrayBuffer): void }> = {
  "is transferred": { make: over({}), take: (buffer) => void buffer.transfer() },
  "is transferred to another length": { make: over({}), take: (buffer) => void buffer.transfer(10) },
  "is sent elsewhere": {
    make: over({}),
    take: (buffer) => void structuredClone(buffer, { transfer: [buffer] }),
  },
  "is made smaller": { make: over({ maxByteLength: 4 * N }), take: (buffer) => buffer.resize(0) },
};

/** A call, and the memory that it reads or writes. */
interface Case {
  readonly memory: readonly Bytes[];
  count(engine: Engine): Promise<unknown>;
}

const wordsOf = ({ buffer, length }: Bytes) => new Uint32Array(buffer, 0, length / 4);

const CASES: Record<string, (make: Make) => Case> = {
  histogram(make) {
    const data = make(N);
    return { memory: [data], count: (engine) => engine.histogram(data) };
  },
  extent(make) {
    const data = make(N);
    return { memory: [data], count: (engine) => engine.extent(data) };
  },
  "joint with a mask"(make) {
    const [x, y, mask] = [make(N), make(N), make(N, MASK)];
    const axes = [axis, axis];
    return { memory: [x, y, mask], count: (engine) => engine.joint([x, y], { axes, mask }) };
  },
  "a list of indices"(make) {
    const data = make(N);
    const where = Uint32Array.from({ length: N }, (_, i) => N - 1 - i);
    return { memory: [data], count: (engine) => engine.histogram(data, { axis, where }) };
  },
  "weighted sums"(make) {
    const [data, weights] = [make(N), make(4 * N, WEIGHTS)];
    const own = new Float32Array(weights.buffer, 0, N);
    return { memory: [data, weights], count: (engine) => engine.histogram(data, { axis, weights: own }) };
  },
  segments(make) {
    const data = make(N);
    const rows = Math.ceil(N / EVERY);
    const counts = make(4 * BINS * rows, ZEROS);
    const into = wordsOf(counts);
    const count = (engine: Engine) => engine.segments(data, { every: EVERY }, { axis, into });
    return { memory: [data, counts], count };
  },
};

const GONE = {
  code: "ERR_INPUT",
  message: expect.stringMatching(/memory|into|weights/),
};

describe.each([1, 2, 7])("%i threads", (threads) => {
  it.each(Object.keys(CASES).flatMap((call) => Object.keys(WAYS).map((way) => [call, way] as const)))(
    "%s ends with ERR_INPUT if memory %s meanwhile",
    { timeout: 60_000 },
    async (call, way) => {
      await using engine = await openEngine({ backend: native({ threads }) });
      const { make, take } = WAYS[way]!;
      const of = CASES[call]!(make);
      // The first call loads what it needs. The others reach the addon without a turn of the event loop.
      const expected = await of.count(engine);
      for (const [k] of of.memory.entries()) {
        // By the last of these turns, threads read or write the memory.
        for (const turns of [0, 1, 100]) {
          const one = CASES[call]!(make);
          const counting = one.count(engine);
          counting.catch(() => {});
          for (let i = 0; i < turns; i++) await null;
          take(one.memory[k]!.buffer);
          collect();
          await expect(counting, `memory ${k} after ${turns} turns`).rejects.toMatchObject(GONE);
        }
      }
      expect(JSON.stringify(await of.count(engine))).toBe(JSON.stringify(expected));
    },
  );
});
