import type { CellsPlan } from "@polybin/core";
import { integer, type JointOptions, regular, type SelectedOptions } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import type { Context, Topic } from "../case.ts";
import { describeError } from "../checker.ts";
import { generate } from "../generators.ts";
import { type Column, checkJoint, hasJoint } from "../joining.ts";

const topic = "joint";
const REASON: Error = new Error("the caller aborted the call");

/** Cases of how calls over several columns behave, whatever they count. */
export const jointCalls: Topic = () => [
  { topic, name: "several calls at once", run: atOnce },
  { topic, name: "aborted before, at once and in the middle; exact afterwards", run: aborted },
  { topic, name: "progress ascends and ends at the total", run: progress },
  { topic, name: "streams as columns, whatever their pieces", run: streams },
  { topic, name: "wrong columns, axes and options", run: wrong },
  { topic, name: "wrong masks, lists and groups", run: wrongSelections },
  { topic, name: "more cells than a table or a device holds", run: tooMany },
  { topic, name: "residents that were freed, and a closed engine", run: gone },
  { topic, name: "the plan and the provenance of a result", run: provenance },
];

/** Two columns of bytes over 64 bins. */
function bytes(n: number, seed = 1): readonly [Column, Column] {
  const axis = wholeAxis("u8", 64);
  return [
    { type: "u8", axis, values: generate("u8", "gauss", n, seed) },
    { type: "u8", axis, values: generate("u8", "uniform", n, seed + 1) },
  ];
}

async function atOnce(context: Context): Promise<void> {
  await Promise.all(
    [10_007, 4096, 1, 0, 70_000, 33_333].map((n, i) => checkJoint(context, "at once", bytes(n, i + 1))),
  );
}

async function aborted(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  const values = new Uint8Array(2 ** 23 + 1).fill(3);
  const columns = [values, values] as const;
  const rejects = async (what: string, work: Promise<unknown>): Promise<void> => {
    const error = await work.then(
      () => "nothing",
      (thrown: unknown) => thrown,
    );
    check.ok(
      `${what}: expected the signal's reason but ${describeError(error)} was thrown`,
      error === REASON,
    );
  };
  await rejects("before", engine.joint(columns, { signal: AbortSignal.abort(REASON) }));
  const now = new AbortController();
  const running = engine.joint(columns, { signal: now.signal });
  now.abort(REASON);
  await rejects("at once", running);
  const middle = new AbortController();
  const timer = setTimeout(() => middle.abort(REASON), 1);
  const onProgress = (): void => middle.abort(REASON);
  await rejects("in the middle", engine.joint(columns, { signal: middle.signal, onProgress }));
  const masked = new AbortController();
  const selected = engine.histogram(values, { mask: values, signal: masked.signal });
  masked.abort(REASON);
  await rejects("a masked histogram", selected);
  clearTimeout(timer);
  await checkJoint(context, "after an abort", bytes(70_001));
}

async function progress(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  for (const n of [0, 1, 300_001]) {
    const told: number[] = [];
    const values = generate("f32", "gauss", n);
    const axis = regular(9, -100, 100);
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number | null }): void => {
      told.push(done);
      check.same("total", total, n);
    };
    await engine.joint([values, values], { axes: [axis, axis], onProgress });
    check.ok(
      `progress descends: ${told}`,
      told.every((done, i) => i === 0 || done >= told[i - 1]!),
    );
    check.same("the last progress", told.at(-1), n);
  }
}

async function streams(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
  }
  const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  for (const n of [0, 1, 5003]) {
    const first: Column = { type: "f32", axis: regular(9, -500, 500), values: generate("f32", "gauss", n) };
    const second: Column = { type: "u8", axis: wholeAxis("u8", 16), values: generate("u8", "uniform", n) };
    const columns = [first, second];
    const floats = bytesOf(first.values);
    const piece = Math.max(1000, Math.floor(n / 3));
    const told: number[] = [];
    const onProgress = ({ done }: { readonly done: number }): void => void told.push(done);
    const inputs = [
      { input: inPieces(floats, piece), type: "f32" },
      inPieces(bytesOf(second.values), 777_777),
    ] as const;
    await checkJoint(context, "two streams", columns, { inputs, options: { onProgress } });
    check.same("the last progress", told.at(-1), n);
    const blob = { input: new Blob([floats as Uint8Array<ArrayBuffer>]), type: "f32" } as const;
    await checkJoint(context, "a Blob and memory", columns, { inputs: [blob, second.values] });
  }
  const interleaved = generate("u16", "uniform", 3 * 1000);
  const channel = (k: number): Column => {
    const values = (interleaved as Uint16Array).filter((_, i) => i % 3 === k);
    return { type: "u16", axis: regular(5, 0, 65_536), values };
  };
  const of = (k: number) =>
    ({ input: inPieces(bytesOf(interleaved), 1001), type: "u16", interleaved: 3, channel: k }) as const;
  await checkJoint(context, "channels of streams", [channel(2), channel(0)], { inputs: [of(2), of(0)] });
  // Samples that arrive in several pieces, next to a stream of one piece and to samples in memory.
  const wide = generate("f64", "gauss", 4 * 270_001);
  const last: Column = {
    type: "f64",
    axis: regular(4, -300, 200),
    values: (wide as Float64Array).filter((_, i) => i % 4 === 3),
  };
  const narrow: Column = {
    type: "u8",
    axis: wholeAxis("u8", 4),
    values: generate("u8", "uniform", last.values.length),
  };
  const input = {
    input: new Blob([wide as Float64Array<ArrayBuffer>]),
    type: "f64",
    interleaved: 4,
    channel: 3,
  } as const;
  await checkJoint(context, "several pieces", [last, narrow, narrow], {
    inputs: [input, inPieces(bytesOf(narrow.values), 100_000), narrow.values],
  });
  const endless = (async function* () {
    for (;;) yield new Uint8Array(1_000_000);
  })();
  const stop = new AbortController();
  const running = engine.joint([endless, inPieces(new Uint8Array(30_000_000), 100_000)], {
    signal: stop.signal,
    onProgress: () => stop.abort(REASON),
  });
  const error = await running.catch((thrown: unknown) => thrown);
  check.ok("an aborted stream rejects with the signal's reason", error === REASON);
}

async function wrong(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  const a = new Uint8Array(100);
  const b = new Float32Array(100);
  const axes = [integer(0, 4), regular(4, 0, 1)];
  const calls: readonly (readonly [string, unknown, unknown, string])[] = [
    ["no columns", [], {}, "ERR_INPUT"],
    ["one column", [a], {}, "ERR_INPUT"],
    ["one channel", a, {}, "ERR_INPUT"],
    ["seven columns", Array.from({ length: 7 }, () => a), {}, "ERR_LIMIT"],
    ["different lengths", [a, b.subarray(1)], { axes }, "ERR_INPUT"],
    ["too few axes", [a, b], { axes: [axes[0]] }, "ERR_INPUT"],
    ["axes that are no list", [a, b], { axes: axes[0] }, "ERR_INPUT"],
    [
      "an invalid axis",
      [a, b],
      { axes: [axes[0], { type: "variable", edges: [0, Number.NaN] }] },
      "ERR_AXIS",
    ],
    [
      "NaN edges",
      [a, b],
      { axes: [{ type: "regular", bins: 4, lo: Number.NaN, hi: 1 }, axes[1]] },
      "ERR_AXIS",
    ],
    ["both axis and bins", [a, b], { axes: [axes[0], { axis: axes[1], bins: 3 }] }, "ERR_INPUT"],
    ["a channel that is not there", [{ input: a, channel: 1 }, b], { axes }, "ERR_INPUT"],
    ["several channels without a choice", [{ data: a, channels: 2 }, a.subarray(50)], {}, "ERR_INPUT"],
    ["channels of a list", [a, b], { axes, channels: [0, 1] }, "ERR_INPUT"],
    ["channels that are not there", { data: a, channels: 2 }, { channels: [0, 2] }, "ERR_INPUT"],
    ["a stream with a longer mask", [new Blob([a]), b], { axes, mask: new Uint8Array(101) }, "ERR_INPUT"],
    [
      "a stream over the range of its data",
      [new Blob([a]), b],
      { axes: [{ range: "data" }, axes[1]] },
      "ERR_AXIS",
    ],
    ["a longer stream", [new Blob([new Uint8Array(101)]), b], { axes }, "ERR_INPUT"],
    ["a shorter stream", [b, new Blob([new Uint8Array(99)])], { axes: axes.toReversed() }, "ERR_INPUT"],
    ["a stream of another size", [{ input: new Blob([a]), bytes: 99 }, b], { axes }, "ERR_INPUT"],
    ["a stream that ends inside a sample", [{ input: new Blob([a]), type: "f64" }, b], { axes }, "ERR_INPUT"],
    ["a stream without its channel", [{ input: new Blob([a]), interleaved: 2 }, b], { axes }, "ERR_INPUT"],
    ["a misspelled option", [a, b], { axes, maks: a }, "ERR_INPUT"],
    ["an unknown algorithm", [a, b], { axes, algorithm: "no such" }, "ERR_UNSUPPORTED"],
    ["a parameter of another algorithm", [a, b], { axes, algorithm: "fused", k: 3 }, "ERR_INPUT"],
    ["progress that is no function", [a, b], { axes, onProgress: 5 }, "ERR_INPUT"],
    ["a value that is no samples", [a, "text"], { axes }, "ERR_INPUT"],
    ["null", [a, null], { axes }, "ERR_INPUT"],
  ];
  for (const [what, columns, options, code] of calls) {
    const call = () => engine.joint(columns as Uint8Array[], options as JointOptions);
    await check.rejects(what, call, { code });
  }
}

async function wrongSelections(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  const values = generate("u8", "uniform", 100);
  const codes = Uint16Array.from(values, (value) => value % 5);
  await using resident = await engine.upload(new Uint8Array(99));
  const selections: readonly (readonly [string, object, string])[] = [
    ["a short mask", { mask: new Uint8Array(99) }, "ERR_INPUT"],
    ["a long mask", { mask: new Uint8Array(101) }, "ERR_INPUT"],
    ["a short resident", { mask: resident }, "ERR_INPUT"],
    ["a mask of floats", { mask: new Float32Array(100) }, "ERR_INPUT"],
    ["a mask of numbers", { mask: [1, 0] }, "ERR_INPUT"],
    ["a mask that is true", { mask: true }, "ERR_INPUT"],
    ["too few bits", { mask: { bits: new Uint8Array(12) } }, "ERR_INPUT"],
    ["too many bits", { mask: { bits: new Uint8Array(14) } }, "ERR_INPUT"],
    ["bits of another type", { mask: { bits: new Uint16Array(13) } }, "ERR_INPUT"],
    ["an index too large", { where: Uint32Array.of(3, 100) }, "ERR_INPUT"],
    ["indices of another type", { where: [1, 2] }, "ERR_INPUT"],
    ["indices as floats", { where: Float64Array.of(1) }, "ERR_INPUT"],
    ["codes out of range", { by: { codes, groups: 4 } }, "ERR_INPUT"],
    ["negative codes", { by: { codes: Int8Array.from(codes, (code) => code - 1), groups: 5 } }, "ERR_INPUT"],
    ["too few codes", { by: { codes: codes.subarray(1), groups: 5 } }, "ERR_INPUT"],
    ["codes that are floats", { by: { codes: Float32Array.from(codes), groups: 5 } }, "ERR_INPUT"],
    ["no groups", { by: { codes, groups: 0 } }, "ERR_INPUT"],
    ["groups without a number", { by: { codes } }, "ERR_INPUT"],
    ["groups that are an array", { by: codes }, "ERR_INPUT"],
    ["too many groups", { by: { codes, groups: limits.MAX_CELLS + 1 } }, "ERR_LIMIT"],
  ];
  for (const [what, options, code] of selections) {
    const one = () => engine.histogram(values, options as SelectedOptions);
    await check.rejects(`${what}, one column`, one, { code });
    const two = () => engine.joint([values, values], options as JointOptions);
    await check.rejects(`${what}, two columns`, two, { code });
  }
}

async function tooMany(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  const values = Float32Array.of(0.5);
  const axis = regular(30_000, 0, 1);
  const call = () => engine.joint([values, values], { axes: [axis, axis] });
  await check.rejects("9e8 cells", call, { code: "ERR_LIMIT", says: ["30003 x 30003"] });
  const bytes = Uint8Array.of(1);
  const colours = () => engine.joint([bytes, bytes, bytes, bytes], {});
  await check.rejects("2^32 cells", colours, { code: "ERR_LIMIT" });
  // Within the limit, the result is exact or the backend refuses it with a sentence.
  const wide = { type: "f32", axis: regular(1000, 0, 1), values: Float32Array.of(0, 0.25, 1, 2) } as const;
  await checkJoint(context, "a million cells", [wide, wide]);
}

async function gone(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  const values = new Uint8Array(10);
  const resident = await engine.upload(values);
  await resident.free();
  await check.rejects("a freed column", () => engine.joint([values, resident]), { code: "ERR_INPUT" });
  await check.rejects("a freed mask", () => engine.histogram(values, { mask: resident }), {
    code: "ERR_INPUT",
  });
  const other = await context.open();
  await using foreign = await other.upload(values);
  await check.rejects("a resident of another engine", () => engine.joint([values, foreign]), {
    code: "ERR_INPUT",
  });
  await other.close();
  await check.rejects("a closed engine", () => other.joint([values, values]), { code: "ERR_UNAVAILABLE" });
}

async function provenance(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  const [x, y] = bytes(1000);
  const axes = [x.axis, y.axis];
  const found = await engine.joint([x.values, y.values], { axes, timings: true });
  check.same("backend", found.backend, engine.backend);
  check.same("device", found.device, engine.device);
  check.same("columns of the plan", (found.plan as CellsPlan | null)?.columns.length, 2);
  check.same("samples of the plan", (found.plan as CellsPlan | null)?.samples, 1000);
  check.ok("timings that were requested", found.timings !== null && found.timings.totalMs > 0);
  const again = await engine.joint([x.values, y.values], { axes });
  check.same("timings that were not", again.timings, null);
  check.same("the same plan", JSON.stringify(again.plan), JSON.stringify(found.plan));
  const mask = new Uint8Array(1000);
  const one = await engine.histogram(x.values, { axis: x.axis, mask });
  check.same("the kind of a selected plan", one.plan?.kind, "cells");
  check.same("masked", one.masked, 1000);
  const { masked } = await engine.histogram(x.values, { axis: x.axis, mask: undefined });
  check.same("no mask", masked, 0);
}
