import { type Engine, integer, regular } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import type { Failure } from "../checker.ts";

/** Calls as an untyped program could make them. */
export type Wrong = readonly [what: string, call: (engine: Engine) => unknown, failure: Failure];
// biome-ignore lint/suspicious/noExplicitAny: these cases pass values of wrong types
type Anything = any;

const samples: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 100 }, (_, i) => i);
const floats = new Float32Array(100);
const axes = [integer(0, 4), regular(4, 0, 1)];

const joint = (columns: Anything, options: Anything) => (engine: Engine) => engine.joint(columns, options);
const blob = (bytes = samples) => new Blob([bytes]);

/** Wrong columns, with the code of the error. */
const COLUMNS: readonly (readonly [what: string, columns: () => unknown, options: object, code: string])[] = [
  ["no columns", () => [], {}, "ERR_INPUT"],
  ["one column", () => [samples], {}, "ERR_INPUT"],
  ["one channel", () => samples, {}, "ERR_INPUT"],
  ["seven columns", () => Array.from({ length: 7 }, () => samples), {}, "ERR_LIMIT"],
  ["different lengths", () => [samples, floats.subarray(1)], { axes }, "ERR_INPUT"],
  ["too few axes", () => [samples, floats], { axes: [axes[0]] }, "ERR_INPUT"],
  ["axes that are no list", () => [samples, floats], { axes: axes[0] }, "ERR_INPUT"],
  [
    "an invalid axis",
    () => [samples, floats],
    { axes: [axes[0], { type: "variable", edges: [0, Number.NaN] }] },
    "ERR_AXIS",
  ],
  [
    "NaN edges",
    () => [samples, floats],
    { axes: [{ type: "regular", bins: 4, lo: Number.NaN, hi: 1 }, axes[1]] },
    "ERR_AXIS",
  ],
  [
    "both axis and bins",
    () => [samples, floats],
    { axes: [axes[0], { axis: axes[1], bins: 3 }] },
    "ERR_INPUT",
  ],
  ["a channel that is not there", () => [{ input: samples, channel: 1 }, floats], { axes }, "ERR_INPUT"],
  [
    "several channels without a choice",
    () => [{ data: samples, channels: 2 }, samples.subarray(50)],
    {},
    "ERR_INPUT",
  ],
  ["channels of a list", () => [samples, floats], { axes, channels: [0, 1] }, "ERR_INPUT"],
  [
    "channels that are not there",
    () => ({ data: samples, channels: 2 }),
    { axes, channels: [0, 2] },
    "ERR_INPUT",
  ],
  ["a stream with a longer mask", () => [blob(), floats], { axes, mask: new Uint8Array(101) }, "ERR_INPUT"],
  ["a range of a stream's data", () => [blob(), floats], { axes: [{ range: "data" }, axes[1]] }, "ERR_AXIS"],
  ["a longer stream", () => [blob(new Uint8Array(101)), floats], { axes }, "ERR_INPUT"],
  ["a shorter stream", () => [samples, blob(new Uint8Array(99))], { axes }, "ERR_INPUT"],
  ["a stream of another size", () => [{ input: blob(), bytes: 99 }, floats], { axes }, "ERR_INPUT"],
  [
    "a stream that ends inside a sample",
    () => [{ input: blob(), type: "f64" }, floats],
    { axes },
    "ERR_INPUT",
  ],
  ["a stream without its channel", () => [{ input: blob(), interleaved: 2 }, floats], { axes }, "ERR_INPUT"],
  ["a misspelled option", () => [samples, floats], { axes, maks: samples }, "ERR_INPUT"],
  ["an unknown algorithm", () => [samples, floats], { axes, algorithm: "no such" }, "ERR_UNSUPPORTED"],
  [
    "a parameter of another algorithm",
    () => [samples, floats],
    { axes, algorithm: "fused", k: 3 },
    "ERR_INPUT",
  ],
  ["progress that is no function", () => [samples, floats], { axes, onProgress: 5 }, "ERR_INPUT"],
  ["a value that is no samples", () => [samples, "text"], { axes }, "ERR_INPUT"],
  ["null", () => [samples, null], { axes }, "ERR_INPUT"],
  ["2^32 cells", () => [samples, samples, samples, samples], {}, "ERR_LIMIT"],
];

const codes = Uint16Array.from(samples, (value) => value % 5);

/** Wrong selections and groups of 100 samples. */
const SELECTIONS: readonly (readonly [what: string, options: Anything, code?: string])[] = [
  ["a short mask", { mask: new Uint8Array(99) }],
  ["a long mask", { mask: new Uint8Array(101) }],
  ["a mask of floats", { mask: new Float32Array(100) }],
  ["a mask of numbers", { mask: [1, 0] }],
  ["a mask that is true", { mask: true }],
  ["too few bits", { mask: { bits: new Uint8Array(12) } }],
  ["too many bits", { mask: { bits: new Uint8Array(14) } }],
  ["bits of another type", { mask: { bits: new Uint16Array(13) } }],
  ["an index too large", { where: Uint32Array.of(3, 100) }],
  ["indices of another type", { where: [1, 2] }],
  ["indices as floats", { where: Float64Array.of(1) }],
  ["codes out of range", { by: { codes, groups: 4 } }],
  ["negative codes", { by: { codes: Int8Array.from(codes, (code) => code - 1), groups: 5 } }],
  ["too few codes", { by: { codes: codes.subarray(1), groups: 5 } }],
  ["codes that are floats", { by: { codes: Float32Array.from(codes), groups: 5 } }],
  ["no groups", { by: { codes, groups: 0 } }],
  ["groups without a number", { by: { codes } }],
  ["groups that are an array", { by: codes }],
  ["too many groups", { by: { codes, groups: limits.MAX_CELLS + 1 } }, "ERR_LIMIT"],
];

const SEGMENTS: readonly Anything[] = [
  ...[undefined, 5, {}, { every: 0 }, { every: -3 }, { every: 2.5 }, { every: 5, offsets: [0] }],
  ...[{ offsets: [] }, { offsets: [0, 50, 49] }, { offsets: [0, 101] }, { offsets: [0, Number.NaN] }],
  ...[{ tiles: { width: 4, height: 4 } }, { tiles: { width: 0, height: 4 } }],
];

const SEGMENT_OPTIONS: readonly (readonly [what: string, options: Anything, code?: string])[] = [
  ["too little room", { into: new Uint32Array(3) }],
  ["room for doubles", { into: new Float64Array(256) }],
  ["a channel that is not there", { channel: 1 }],
  ["leave that is a word", { leave: "yes" }],
  ["groups, too", { by: { codes, groups: 5 } }, "ERR_UNSUPPORTED"],
  ["an unknown algorithm", { algorithm: "no such" }, "ERR_UNSUPPORTED"],
];

/** Wrong columns, selections, groups and segments. */
export const WRONG_REQUESTS: readonly Wrong[] = [
  ...COLUMNS.map(
    ([what, columns, options, code]): Wrong => [
      what,
      (engine) => joint(columns(), options)(engine),
      { code },
    ],
  ),
  [
    "9e8 cells",
    joint([floats, floats], { axes: [regular(30_000, 0, 1), regular(30_000, 0, 1)] }),
    { code: "ERR_LIMIT", says: ["30003 x 30003"] },
  ],
  ...SELECTIONS.flatMap(([what, options, code = "ERR_INPUT"]): Wrong[] => [
    [`${what}, one column`, (engine) => engine.histogram(samples, options), { code }],
    [`${what}, two columns`, joint([samples, samples], options), { code }],
  ]),
  ...SEGMENTS.map(
    (how): Wrong => [
      `segments ${JSON.stringify(how)}`,
      (engine) => engine.segments(samples, how),
      { code: "ERR_INPUT" },
    ],
  ),
  ...SEGMENT_OPTIONS.map(
    ([what, options, code = "ERR_INPUT"]): Wrong => [
      `segments with ${what}`,
      (engine) => engine.segments(samples, { every: 100 }, options),
      { code },
    ],
  ),
  [
    "segments of a stream of any length",
    (engine) => engine.segments(blob().stream(), { every: 1 }),
    { code: "ERR_UNSUPPORTED" },
  ],
];

const weigh = (weights: Anything, options: object = {}) => joint([samples, samples], { weights, ...options });
const weights = new Float64Array(100);

/** Wrong weights. A backend without tables refuses all weights. */
export const WRONG_WEIGHTS: readonly Wrong[] = [
  ["too few weights", weigh(weights.subarray(1)), { code: "ERR_INPUT" }],
  ["a weight that is not finite", weigh(new Float64Array(100).fill(Infinity)), { code: "ERR_INPUT" }],
  ["weights in words", weigh("many"), { code: "ERR_INPUT" }],
  ["an option of counts", weigh(weights, { k: 3 }), { code: "ERR_INPUT" }],
  ["an algorithm of counts", weigh(weights, { algorithm: "sequential" }), { code: "ERR_UNSUPPORTED" }],
  ["codes out of range", weigh(weights, { by: { codes, groups: 4 } }), { code: "ERR_INPUT" }],
];
