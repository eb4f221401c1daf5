import {
  type Axis,
  cpu,
  type Engine,
  fileSamples,
  Histogram,
  integer,
  openEngine,
  regular,
  variable,
} from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { binsWith, type Case, type Context, type Topic } from "../case.ts";
import type { Failure } from "../checker.ts";
import { rulesOf, wrongOf } from "../rules.ts";
import { WRONG_REQUESTS, WRONG_WEIGHTS, type Wrong } from "./wrong-requests.ts";

// biome-ignore lint/suspicious/noExplicitAny: these cases pass values of wrong types
type Anything = any;

const bytes: Uint8Array = new Uint8Array(12);
const count = (input: Anything, options?: Anything) => (engine: Engine) => engine.histogram(input, options);
const countAll = (input: Anything, options?: Anything) => (engine: Engine) =>
  engine.histograms(input, options);
const input = (...says: string[]): Failure => ({ code: "ERR_INPUT", says: ["expected", ...says] });
const axisError = (...says: string[]): Failure => ({ code: "ERR_AXIS", says: ["expected", ...says] });
const limit = (...says: string[]): Failure => ({ code: "ERR_LIMIT", says: ["expected", ...says] });
const most = limits.MAX_BINS;

const INPUTS: readonly Wrong[] = [
  ["no input", count(undefined), input("samples", "undefined")],
  ["null", count(null), input("samples", "null")],
  ["a string", count("abc"), input("samples", "abc")],
  ["a number", count(7), input("samples", "7")],
  ["an empty object", count({}), input("samples")],
  ["a function", count(() => bytes), input("samples")],
  ["data that is null", count({ data: null }), input("null")],
  ["an array with a string", count([1, "2"]), input("number", "2")],
  ["an array of holes", count(Array(3)), input("number", "undefined")],
  ["numbers of another type", count({ data: [1, 2], type: "u8" }), input("u8", "f64")],
  ["an unknown type", count({ data: bytes, type: "u128" }), input("u8", "u128")],
  ["a type that is not the array's", count({ data: new Uint16Array(2), type: "f32" }), input("u16", "f32")],
  [
    "bytes that are not whole samples",
    count({ data: new Uint8Array(7), type: "f32" }),
    input("4 bytes", "7"),
  ],
  ["a fraction of a pixel", countAll({ data: new Uint8Array(7), channels: 3 }), input("3", "7")],
  ["no channels", count({ data: bytes, channels: 0 }), input("channels", "1 to 4", "0")],
  ["five channels", count({ data: bytes, channels: 5 }), input("channels", "1 to 4", "5")],
  ["half a channel", count({ data: bytes, channels: 1.5 }), input("channels", "1.5")],
  ["several channels, one histogram", count({ data: bytes, channels: 3 }), input("one channel", "3")],
  ["a height without a width", count({ data: bytes, height: 2 }), input("width")],
  ["a pitch without a width", count({ data: bytes, rowPitch: 4 }), input("width")],
  ["a negative width", count({ data: bytes, width: -1 }), input("width", "-1")],
  ["a width that is NaN", count({ data: bytes, width: Number.NaN }), input("width", "NaN")],
  ["a pitch below a row", count({ data: bytes, width: 4, rowPitch: 3 }), input("rowPitch", "4", "3")],
  ["too little data", count({ data: bytes, width: 4, height: 4 }), input("16", "12")],
  ["more than the rows", count({ data: bytes, width: 2, height: 2 }), input("4 bytes", "12")],
  ["an unknown name", count({ data: bytes, chanels: 3 }), input("did you mean channels? received chanels")],
  [
    "an unknown name of a region",
    count({ data: bytes, width: 4, region: { x: 0, y: 0, width: 1, heigth: 1 } }),
    input("region", "did you mean height? received heigth"),
  ],
  [
    "64-bit integers of another type",
    count({ data: new BigUint64Array(1), type: "f64" }),
    input("u64", "f64"),
  ],
  ["a path", count("photo.png"), input("photo.png", "the bytes of a file")],
  ["a promise", count(Promise.resolve(bytes)), input("Promise", "await it")],
  ["a response", count(new Response("abc")), input("Response", "response.body")],
  [
    "a canvas",
    count({ [Symbol.toStringTag]: "OffscreenCanvas", width: 1, height: 1 }),
    input("ctx.getImageData(0, 0, width, height)"),
  ],
  [
    "sharp's info spread into a description",
    count({ data: bytes, format: "raw", width: 2, height: 2, channels: 3, size: 12 }),
    input("format", "info.width"),
  ],
  ["rows that do not end", count({ data: bytes, width: 5 }), input("5", "12")],
  [
    "a region past the right edge",
    count({ data: bytes, width: 4, region: { x: 2, y: 0, width: 3, height: 1 } }),
    input("region.width", "3"),
  ],
  [
    "a region past the bottom",
    count({ data: bytes, width: 4, region: { x: 0, y: 4, width: 1, height: 1 } }),
    input("region.y", "4"),
  ],
  [
    "a region with half a pixel",
    count({ data: bytes, width: 4, region: { x: 0.5, y: 0, width: 1, height: 1 } }),
    input("region.x", "0.5"),
  ],
];

function streamOf(part: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield part;
    },
  };
}

function lockedStream(): ReadableStream<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  stream.getReader();
  return stream;
}

const REQUEST = {
  algorithm: "auto",
  type: "u8",
  axis: integer(0, limits.BYTE_VALUES),
  samples: 1,
  channels: 1,
};

const OPTIONS: readonly Wrong[] = [
  ["options that are null", count(bytes, null), input("options", "null")],
  ["options that are a number", count(bytes, 5), input("options", "5")],
  ["an unknown option", count(bytes, { binz: 5 }), input("binz")],
  ["a misspelled option", count(bytes, { aixs: integer(0, 9) }), input("did you mean axis? received aixs")],
  [
    "a name without a value",
    count(bytes, { algoritm: undefined }),
    input("did you mean algorithm? received algoritm"),
  ],
  ["options that are an array", count(bytes, [{ bins: 5 }]), input("options", "a list of 1")],
  ["axis and bins", count(bytes, { axis: integer(0, 9), bins: 9 }), input("axis", "bins")],
  ["axis and range", count(bytes, { axis: integer(0, 9), range: [0, 9] }), input("axis", "range")],
  ["an invalid range", count(bytes, { range: "dta" }), input('"data" or "type"', "dta")],
  ["a range of one number", count(bytes, { range: [1] }), input("[lo, hi]")],
  ["the whole range of floats", count(new Float32Array(2), { range: "type" }), input("f32", "range")],
  [
    "a misspelled option of upload",
    (engine) => engine.upload(bytes, { signl: 1 } as Anything),
    input("did you mean signal? received signl"),
  ],
  [
    "a misspelled option of extent",
    (engine) => engine.extent(bytes, { chanels: [0] } as Anything),
    input("did you mean channels? received chanels"),
  ],
  [
    "a misspelled name in a request",
    (engine) => engine.supports({ ...REQUEST, colisions: "tag" } as Anything),
    input("did you mean collisions? received colisions"),
  ],
  ["an invalid signal", count(bytes, { signal: {} }), input("signal")],
  ["onProgress that is not a function", count(bytes, { onProgress: 5 }), input("onProgress", "5")],
  ["a type that the samples do not have", count(bytes, { type: "u16" }), input("u8", "u16")],
  [
    "interleaved channels that the samples do not have",
    count(bytes, { interleaved: 2 }),
    input("interleaved", "2"),
  ],
  ["a channel that does not exist", count(bytes, { channel: 1 }), input("0 to 0 for channel but", "1")],
  [
    "a fourth channel of three",
    countAll({ data: bytes, channels: 3 }, { channels: [0, 3] }),
    input("0 to 2 for channels[1] but", "3"),
  ],
  ["a negative channel", count(bytes, { channel: -1 }), input("-1")],
  ["an empty list of channels", countAll({ data: bytes, channels: 3 }, { channels: [] }), input("channels")],
  ["a channel twice", countAll({ data: bytes, channels: 3 }, { channels: [1, 1] }), input("each only once")],
  [
    "channels that are a number",
    countAll({ data: bytes, channels: 3 }, { channels: 1 }),
    input("channels", "1"),
  ],
  [
    "an unknown algorithm",
    count(bytes, { algorithm: "quick" }),
    { code: "ERR_UNSUPPORTED", says: ["quick"] },
  ],
  ["an algorithm that is a number", count(bytes, { algorithm: 1 }), { code: "ERR_UNSUPPORTED", says: ["1"] }],
  ["a name every object has", count(bytes, { algorithm: "toString" }), { code: "ERR_UNSUPPORTED" }],
  ["a resident uploaded from nothing", (engine) => engine.upload(undefined as Anything), input("undefined")],
  ["upload options that are null", (engine) => engine.upload(bytes, null as Anything), input("options")],
  ["extent options that are null", (engine) => engine.extent(bytes, null as Anything), input("options")],
  [
    "an extent's onProgress that is not a function",
    (engine) => engine.extent(bytes, { onProgress: 5 as Anything }),
    input("onProgress", "5"),
  ],
  ["a stream with another reader", (engine) => engine.histogram(lockedStream()), input("locked")],
  ["an extent of nothing", (engine) => engine.extent(undefined as Anything), input("undefined")],
];

const AXES: readonly Wrong[] = [
  ["no bins", count(bytes, { bins: 0 }), axisError("bins", "at least 1", "0")],
  ["negative bins", count(bytes, { bins: -1 }), axisError("bins", "-1")],
  ["half a bin", count(bytes, { bins: 2.5 }), axisError("bins", "2.5")],
  ["bins that are NaN", count(bytes, { bins: Number.NaN }), axisError("bins", "NaN")],
  ["bins that are a string", count(bytes, { bins: "10" }), axisError("bins", "10")],
  ["too many bins", count(bytes, { bins: most + 1 }), limit(String(most), String(most + 1))],
  ["bins of floats", count(new Float32Array(2), { bins: 0 }), axisError("bins", "0")],
  ["too many bins of floats", count(new Float32Array(2), { bins: most + 1 }), limit(String(most))],
  ["an axis that is null", count(bytes, { axis: null }), axisError("integer", "null")],
  ["an axis of another kind", count(bytes, { axis: { type: "log" } }), axisError("log")],
  ["an invalid axis object", count(bytes, { axis: { type: "integer", start: 5, stop: 5 } }), axisError("5")],
  ["a reversed range", count(bytes, { range: [2, 1] }), axisError("hi", "2", "1")],
  [
    "an axis object with a misspelled name",
    count(bytes, { axis: { type: "regular", bins: 2, lo: 0, hi: 1, spacng: "f32" } }),
    axisError("did you mean spacing? received spacng"),
  ],
  ["regular: the range before the bins", () => regular(0, 1, 50), axisError("regular(50, 0, 1)")],
  ...(["u32", "i32", "f32", "f64"] as const).map(
    (type): Wrong => [
      `a stream of ${type} without an axis`,
      count(streamOf(bytes), { type }),
      axisError(`a stream of ${type}`, "range: [lo, hi]"),
    ],
  ),
  ["regular: lo above hi", () => regular(10, 2, 1), axisError("hi", "2", "1")],
  ["regular: lo equal to hi", () => regular(10, 1, 1), axisError("hi", "1")],
  ["regular: NaN", () => regular(10, Number.NaN, 1), axisError("lo", "finite", "NaN")],
  ["regular: infinity", () => regular(10, 0, Infinity), axisError("hi", "finite", "Infinity")],
  ["regular: infinitely wide", () => regular(10, -1.7e308, 1.7e308), axisError("finite")],
  ["regular: a string", () => regular(10, "0" as Anything, 1), axisError("lo", "0")],
  ["regular: no bins", () => regular(0, 0, 1), axisError("bins", "0")],
  ["regular: too many bins", () => regular(most + 1, 0, 1), limit(String(most + 1))],
  ["integer: not an integer", () => integer(0.5, 4), axisError("start", "0.5")],
  ["integer: descending", () => integer(4, 0), axisError("stop", "4", "0")],
  ["integer: too many", () => integer(0, most + 1), limit(String(most + 1))],
  ["integer: above the safe integers", () => integer(2 ** 53, 2 ** 53 + 2), axisError("start")],
  ["variable: one edge", () => variable([1]), axisError("two")],
  ["variable: nothing", () => variable(null as Anything), axisError("edges", "null")],
  ["variable: equal edges", () => variable([0, 1, 1]), axisError("edges[2]", "1")],
  ["variable: descending", () => variable([0, 2, 1]), axisError("edges[2]", "2", "1")],
  ["variable: NaN", () => variable([0, Number.NaN]), axisError("edges[1]", "NaN")],
  ["variable: infinity", () => variable([0, Infinity, Infinity]), axisError("edges[1]", "Infinity")],
  [
    "variable: too many",
    () => variable(Array.from({ length: most + 2 }, (_, i) => i)),
    limit(String(most + 1)),
  ],
  [
    "edges that are equal in f32",
    count(new Float32Array(9), { axis: regular(100, 1, 1.000001) }),
    axisError("100"),
  ],
  ["edges above f32", count(new Float32Array(9), { axis: regular(10, 0, 1e39) }), axisError("f32")],
];

const OTHERS: readonly Wrong[] = [
  ["options of an engine that are null", () => openEngine(null as Anything), input("options", "null")],
  [
    "a misspelled option of an engine",
    () => openEngine({ backnds: [] } as Anything),
    input("did you mean backends? received backnds"),
  ],
  [
    "a backend instead of options",
    () => openEngine(cpu() as Anything),
    input("openEngine({ backends: [cpu()] })"),
  ],
  [
    "backends instead of options",
    () => openEngine([cpu(), cpu()] as Anything),
    input("openEngine({ backends: [cpu(), cpu()] })"),
  ],
  [
    "a file with a misspelled name",
    () => fileSamples({ path: "x", bytes: 4, typ: "f32" } as Anything),
    input("did you mean type? received typ"),
  ],
  [
    "a misspelled option of sum",
    async (engine) => (await engine.histogram(bytes)).sum({ flwo: true } as Anything),
    input("did you mean flow? received flwo"),
  ],
  ["an invalid backend", () => openEngine({ backend: {} as Anything }), input("backend")],
  [
    "backends that are not an array",
    () => openEngine({ backends: "cpu" as Anything }),
    input("backends", "cpu"),
  ],
  ["an invalid backend in a list", () => openEngine({ backends: [null as Anything] }), input("backends[0]")],
  [
    "a fallback that is not a boolean",
    () => openEngine({ backends: [], fallback: 1 as Anything }),
    input("fallback", "1"),
  ],
  ["a file without a path", () => fileSamples({ path: "", bytes: 0 }), input("path")],
  ["a file of half a sample", () => fileSamples({ path: "x", bytes: 3, type: "u16" }), input("2 bytes", "3")],
  ["a file of negative size", () => fileSamples({ path: "x", bytes: -1 }), input("bytes", "-1")],
  [
    "a file of an unknown type",
    () => fileSamples({ path: "x", bytes: 1, type: "q" as Anything }),
    input("type", "q"),
  ],
  ["JSON that is not a histogram", () => Histogram.fromJSON({}), input("uhi_schema")],
];

const GROUPS: readonly (readonly [name: string, wrongs: readonly Wrong[]])[] = [
  ["wrong samples are ERR_INPUT", INPUTS],
  ["wrong options are ERR_INPUT or ERR_UNSUPPORTED", OPTIONS],
  ["wrong axes and bins are ERR_AXIS or ERR_LIMIT", AXES],
  ["wrong backends, files and JSON are ERR_INPUT", OTHERS],
  ["wrong columns, selections, groups and segments", WRONG_REQUESTS],
];

/**
 * Checks for every wrong argument that the error has the right code and names what was expected and received, and
 * that the engine still works.
 */
export const wrongArguments: Topic = ({ weighted }) => [
  ...[...GROUPS, ...(weighted.length > 0 ? [["wrong weights", WRONG_WEIGHTS] as const] : [])].map(
    ([name, wrongs]): Case => ({
      topic: "arguments",
      name,
      async run({ engine, check }) {
        for (const [what, call, failure] of wrongs)
          await check.rejects(what, async () => call(engine), failure);
        const axis: Axis = integer(0, 2);
        await check.counts(engine, Uint8Array.of(0, 1, 2, 1), "u8", axis, { name: "after wrong calls" });
      },
    }),
  ),
  { topic: "arguments", name: "errors of a plan carry the backend and the algorithm", run: carried },
];

async function carried({ engine, backend: { algorithms }, check }: Context): Promise<void> {
  for (const of of algorithms) {
    for (const [parameter, rule] of rulesOf(of)) {
      const [wrong] = wrongOf(rule);
      try {
        await engine.histogram(bytes, { algorithm: of.slug, bins: binsWith(of), [parameter]: wrong });
        check.ok(`${parameter} = ${wrong} was accepted`, false);
      } catch (error) {
        const { backend, algorithm } = error as { backend?: string; algorithm?: string };
        check.same("backend", backend, engine.backend);
        check.same("algorithm", algorithm, of.slug);
      }
    }
  }
  // This also covers backends without parameters.
  const error = await engine.histogram(bytes, { algorithm: "auto", bins: 0 }).then(
    () => null,
    (reason: { backend?: string }) => reason,
  );
  check.same("backend of an axis' error", error?.backend, engine.backend);
}
