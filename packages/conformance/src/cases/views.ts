import { Histogram, type SampleType } from "@polybin/core";
import { limits, SAMPLE_TRAITS, SAMPLE_TYPES, type SampleArray } from "@polybin/core/backend";
import { axesFor } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis, generate } from "../generators.ts";
import { countByDefinition } from "../oracle/counts.ts";

const BINS = limits.PER_THREAD_64_BINS;
/** Lengths with different tails in words of every width. */
const LENGTHS: readonly number[] = [1, 301, 302, 303];
/** Surrounds the samples. A backend that reads past either end counts it. */
const GUARD = 0xa5;

/** Cases of samples at any byte offset, in every kind of memory and view. */
export const views: Topic = ({ slugs }) => [
  ...slugs.map(
    (slug): Case => ({
      topic: "views",
      name: `${slug}: bytes with a type at offsets 0 to 7, odd tails`,
      run: (context) => unaligned(slug, context),
    }),
  ),
  {
    topic: "views",
    name: "memory that shrinks before or during counting: exact counts, or ERR_INPUT",
    run: takenAway,
  },
  {
    topic: "views",
    name: "every kind of memory that holds samples",
    run: (context) => everyKind(["auto", ...slugs], context),
  },
  {
    topic: "views",
    name: "the input is not modified and can be counted again",
    async run({ engine, check }) {
      const samples = generate("i16", "gauss", 1000);
      const before = samples.slice();
      for (let i = 0; i < 2; i++) await check.counts(engine, samples, "i16", axesFor("i16", BINS)[3]!);
      check.sameNumbers("samples", samples, before);
    },
  },
];

/** Copies the samples' bytes to an offset of a larger buffer, with guards on both sides. */
function bytesAt(samples: SampleArray, offset: number, buffer: ArrayBufferLike): Uint8Array {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  new Uint8Array(buffer).fill(GUARD);
  const out = new Uint8Array(buffer, offset, bytes.length);
  out.set(bytes);
  return out;
}

const roomFor = (samples: SampleArray): number => samples.byteLength + 2 * SAMPLE_TRAITS.f64.bytes;

async function unaligned(algorithm: string, { engine, check }: Context): Promise<void> {
  for (const type of SAMPLE_TYPES) {
    const axis = axesFor(type, BINS)[4]!;
    for (let offset = 0; offset < SAMPLE_TRAITS.f64.bytes; offset++) {
      const n = LENGTHS[offset % LENGTHS.length]!;
      const samples = aroundAxis(axis, type, n, offset);
      const data = bytesAt(samples, offset, new ArrayBuffer(roomFor(samples)));
      const name = `${offset} bytes into a buffer`;
      await check.counts(engine, samples, type, axis, { algorithm }, { name, input: { data, type } });
    }
  }
}

async function everyKind(algorithms: readonly string[], { engine, check }: Context): Promise<void> {
  for (const algorithm of algorithms) {
    for (const type of SAMPLE_TYPES) {
      const axis = axesFor(type, BINS)[7]!;
      const samples = aroundAxis(axis, type, 333);
      for (const [name, input] of kindsOf(samples, type)) {
        await check.counts(engine, samples, type, axis, { algorithm }, { name, input });
      }
    }
  }
}

type Kind = readonly [name: string, input: Parameters<Context["engine"]["histogram"]>[0]];

function kindsOf(samples: SampleArray, type: SampleType): Kind[] {
  const size = SAMPLE_TRAITS[type].bytes;
  const plain = bytesAt(samples, 1, new ArrayBuffer(roomFor(samples)));
  const own = bytesAt(samples, 0, new ArrayBuffer(samples.byteLength));
  const ArrayClass = samples.constructor as Uint8ArrayConstructor;
  const inside = bytesAt(samples, size, new ArrayBuffer(samples.byteLength + 2 * size));
  return [
    ["a view into a larger buffer", new ArrayClass(inside.buffer, inside.byteOffset, samples.length)],
    ["a DataView", { data: new DataView(plain.buffer, plain.byteOffset, plain.byteLength), type }],
    ["an ArrayBuffer", { data: own.buffer, type }],
    ...sharedKinds(samples, type),
    ...(type === "u8" ? ([["a DataView without a type", new DataView(own.buffer)]] as const) : []),
    ...(type === "u8" ? ([["a Uint8ClampedArray", new Uint8ClampedArray(samples)]] as const) : []),
    ...(type === "f64" ? ([["an array of numbers", Array.from(samples)]] as const) : []),
  ];
}

/** Pages without cross-origin isolation have no shared memory. */
function sharedKinds(samples: SampleArray, type: SampleType): Kind[] {
  if (typeof SharedArrayBuffer === "undefined") return [];
  const aligned = bytesAt(samples, 0, new SharedArrayBuffer(samples.byteLength));
  const apart = bytesAt(samples, 3, new SharedArrayBuffer(roomFor(samples)));
  const ArrayClass = samples.constructor as Uint8ArrayConstructor;
  return [
    ["a shared array", new ArrayClass(aligned.buffer, 0, samples.length)],
    ["a SharedArrayBuffer", { data: aligned.buffer, type }],
    ["unaligned shared bytes", { data: apart, type }],
  ];
}

/** Samples of an input that a device counts in several steps. */
const LONG: number = 2 ** 23 + 5;

async function takenAway({ engine, check }: Context): Promise<void> {
  const axis = axesFor("u8", BINS)[7]!;
  for (const n of [1003, LONG]) {
    for (const when of ["before", "after the call", "in the middle"]) {
      const buffer = new ArrayBuffer(n, { maxByteLength: n });
      const data = new Uint8Array(buffer, 0, n).fill(1);
      const copy = data.slice();
      const what = `${n} samples, shrunk ${when}`;
      if (when === "before") buffer.resize(7);
      const onProgress = () => buffer.resize(7);
      const found = engine.histogram(data, { axis, ...(when === "in the middle" ? { onProgress } : {}) });
      if (when === "after the call") buffer.resize(7);
      const ended = await found.catch((error: unknown) => error);
      if (when === "before" || !(ended instanceof Histogram)) {
        await check.rejects(what, () => found, { code: "ERR_INPUT", says: ["memory"] });
      } else check.histogram(what, ended, countByDefinition(axis, "u8", copy));
    }
  }
  await check.counts(engine, generate("u8", "gauss", 9999), "u8", axis, {}, { name: "after lost memory" });
}
