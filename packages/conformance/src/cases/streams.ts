import { type ByteStream, type Engine, regular, type SampleType } from "@polybin/core";
import { limits, SAMPLE_TRAITS, SAMPLE_TYPES, type SampleArray } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import type { Context, Topic } from "../case.ts";
import { generate } from "../generators.ts";

const axis = wholeAxis("u8", limits.PER_THREAD_64_BINS);

/** Cases of bytes that arrive in pieces of any size. */
export const streams: Topic = () => [
  { topic: "streams", name: "several gathered pieces, and the seam between them", run: seam },
  { topic: "streams", name: "a stream that ends inside a sample is ERR_INPUT", run: endsInside },
  { topic: "streams", name: "wrong chunks and wrong options", run: wrongChunks },
  { topic: "streams", name: "typed arrays of another type are ERR_INPUT, in every call", run: otherPieces },
  { topic: "streams", name: "an error of the stream is passed on unchanged", run: failing },
  { topic: "streams", name: "aborted between chunks; the stream is released", run: abortedBetween },
  { topic: "streams", name: "progress without a total", run: progressOf },
];

function bytesOf({ buffer, byteOffset, byteLength }: SampleArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function* inChunks(bytes: Uint8Array, size: (i: number) => number): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = size(i);
    yield bytes.slice(at, at + length);
    at += length;
  }
}

/** Gathered pieces hold whole samples, although no chunk does. */
async function seam({ engine, check }: Context): Promise<void> {
  const samples = generate("u8", "ramp", limits.STREAM_CHUNK + 4099);
  const input = inChunks(bytesOf(samples), () => 65_521);
  await check.counts(engine, samples, "u8", wholeAxis("u8", limits.BYTE_VALUES), {
    name: "in 65521 bytes",
    input,
  });
}

async function endsInside({ engine, check }: Context): Promise<void> {
  for (const type of SAMPLE_TYPES) {
    const { bytes } = SAMPLE_TRAITS[type];
    for (let over = 1; over < bytes; over++) {
      await check.rejects(
        `${over} bytes past a ${type}`,
        () =>
          engine.histogram(
            inChunks(new Uint8Array(40 + over), () => 9),
            { type, axis: regular(2, 0, 1) },
          ),
        { code: "ERR_INPUT", says: [type, `${bytes} bytes`, String(over)] },
      );
    }
  }
  await check.rejects(
    "half a pixel",
    () =>
      engine.histograms(
        inChunks(new Uint8Array(10), () => 9),
        { channels: [0, 1, 2], interleaved: 3 },
      ),
    { code: "ERR_INPUT" },
  );
}

async function wrongChunks({ engine, check }: Context): Promise<void> {
  async function* of(...chunks: unknown[]): AsyncGenerator<Uint8Array> {
    yield* chunks as Uint8Array[];
  }
  const wrong = { code: "ERR_INPUT" };
  await check.rejects("text", () => engine.histogram(of("abc")), wrong);
  await check.rejects("numbers", () => engine.histogram(of(Uint8Array.of(1), 5)), wrong);
  await check.rejects("null", () => engine.histogram(of(null)), wrong);
  await check.rejects("floats without an axis", () => engine.histogram(of(), { type: "f32" }), {
    code: "ERR_AXIS",
    says: ["axis", "f32"],
  });
  await check.rejects("an unknown type", () => engine.histogram(of(), { type: "u128" as "u8" }), wrong);
  await check.rejects("no channel", () => engine.histograms(of(), { channels: [] }), wrong);
  await check.rejects("a channel of a stream of one", () => engine.histogram(of(), { channel: 1 }), wrong);
  await check.rejects("a negative channel", () => engine.histograms(of(), { channels: [-1] }), wrong);
  await check.rejects(
    "a fifth channel",
    () => engine.histograms(of(), { channels: [limits.MAX_CHANNELS], interleaved: limits.MAX_CHANNELS }),
    wrong,
  );
}

/** Cuts samples into typed arrays of 700 samples. */
async function* inArrays(samples: SampleArray): AsyncGenerator<SampleArray> {
  for (let at = 0; at < samples.length; at += 700) yield samples.subarray(at, at + 700);
}

/** Counts a stream in every call that takes one, over the same axis. */
const CALLS: Readonly<
  Record<string, (engine: Engine, of: ByteStream, type: SampleType | undefined) => Promise<unknown>>
> = {
  histogram: (engine, of, type) => engine.histogram(of, { type, axis }),
  histograms: (engine, of, type) => engine.histograms(of, { type, axis }),
  axes: (engine, of, type) => engine.histograms(of, { type, axes: [axis] }),
  joint: (engine, of, type) =>
    engine.joint([{ input: of, type }, new Uint8Array(5003)], { axes: [axis, axis] }),
};

async function otherPieces({ engine, check }: Context): Promise<void> {
  const floats = generate("f32", "gauss", 5003);
  async function* mixed(): AsyncGenerator<SampleArray> {
    yield floats.subarray(0, 9);
    yield Uint16Array.of(1, 2);
  }
  for (const [what, stream, type, says] of [
    ["floats as u8", () => inArrays(floats), "u8", ["f32", "u8"]],
    ["floats as u32", () => inArrays(floats), "u32", ["f32", "u32"]],
    ["floats, then u16", mixed, undefined, ["f32", "first"]],
  ] as const) {
    for (const [name, call] of Object.entries(CALLS)) {
      await check.rejects(`${what}: ${name}`, () => call(engine, stream(), type), {
        code: "ERR_INPUT",
        says,
      });
    }
  }
}

async function failing({ engine, check }: Context): Promise<void> {
  const reason = new Error("the disk is gone");
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(99);
    throw reason;
  }
  const error = await engine.histogram(broken()).catch((thrown: unknown) => thrown);
  check.ok("the stream's own error", error === reason);
}

async function abortedBetween({ engine, check }: Context): Promise<void> {
  const reason = new Error("enough");
  const controller = new AbortController();
  let letGo = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (let i = 0; ; i++) {
        if (i === 3) controller.abort(reason);
        yield new Uint8Array(limits.HALF_VALUES);
      }
    } finally {
      letGo = true;
    }
  }
  const error = await engine
    .histogram(endless(), { signal: controller.signal })
    .catch((thrown: unknown) => thrown);
  check.ok("the signal's reason", error === reason);
  check.ok("the stream was released", letGo);
}

async function progressOf({ engine, check }: Context): Promise<void> {
  const told: number[] = [];
  const totals = new Set<number | null>();
  const input = inChunks(new Uint8Array(limits.STREAM_CHUNK + 9), () => 100_003);
  await engine.histogram(input, {
    onProgress: ({ done, total }) => {
      told.push(done);
      totals.add(total);
    },
  });
  check.ok(
    `${told} ascends`,
    told.every((done, i) => i === 0 || done >= told[i - 1]!),
  );
  check.same("last", told.at(-1), limits.STREAM_CHUNK + 9);
  check.same("totals", [...totals].join(), "");
}
