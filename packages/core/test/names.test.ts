import { describe, expect, it } from "vitest";
import { integer } from "../src/axis/axis.ts";
import type { Axis } from "../src/axis/index.ts";
import type { Backend } from "../src/backend/index.ts";
import { checkNames, checkSwitch } from "../src/base/names.ts";
import { cpu } from "../src/cpu/cpu.ts";
import { openEngine } from "../src/engine/open.ts";
import { fileSamples } from "../src/input/file.ts";
import { samples } from "../src/input/samples.ts";
import { multithreaded } from "../src/multithreaded/index.ts";
import { ReadableHistogram as Histogram } from "../src/result/reading.ts";
import { errorOf, expectError, rejectionOf } from "./helpers.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong values are the point
type Anything = any;

describe("the names of an options object", () => {
  const NAMES = ["backends", "signal", "flow", "type", "range", "lo"];

  it.each([
    ["backnds", "backends"],
    ["Backends", "backends"],
    ["bakcends", "backends"],
    ["backend", "backends"],
    ["signl", "signal"],
    ["singal", "signal"],
    ["flwo", "flow"],
    ["typ", "type"],
    ["tpye", "type"],
    ["types", "type"],
    ["rnage", "range"],
  ])("%s suggests the nearest known name, %s", (name, near) => {
    expectError(
      () => checkNames({ [name]: 1 }, NAMES),
      "ERR_INPUT",
      `did you mean ${near}? received ${name} but expected one of ${NAMES.join(", ")} in options`,
    );
  });

  it.each(["", "x", "0", "workers", "abort", "p".repeat(1_000_000)])("no name is near to %#", (name) => {
    const { message } = errorOf(() => checkNames({ [name]: 1 }, NAMES));
    expect(message).not.toContain("did you mean");
    expect(message.length).toBeLessThan(200);
  });

  it("a single name is always the nearest", () => {
    expectError(
      () => checkNames({ workers: 2 }, ["threads"]),
      "ERR_INPUT",
      "did you mean threads? received workers but expected threads in options",
    );
  });

  it("are checked even without a value, and the error names their object", () => {
    expectError(() => checkNames({ typ: undefined }, ["type"]), "ERR_INPUT", "received typ");
    const how = { of: "an axis", code: "ERR_AXIS", advice: () => "turn it round" } as const;
    expectError(
      () => checkNames({ typ: 1 }, ["type"], how),
      "ERR_AXIS",
      "turn it round; received typ but expected type in an axis",
    );
    checkNames({ type: undefined }, ["type"]);
    checkNames({}, []);
  });

  it.each([null, undefined, 5, "type", [], [1], () => ({})])("a value that is not an object: %#", (value) => {
    expectError(() => checkNames(value as Anything, ["type"]), "ERR_INPUT", "an object for options");
  });

  it("a switch is true, false or undefined", () => {
    for (const value of [true, false, undefined]) checkSwitch(value, "flow");
    for (const value of [0, 1, null, "true"]) {
      expectError(() => checkSwitch(value, "flow"), "ERR_INPUT", "true or false for flow");
    }
  });
});

const bytes = Uint8Array.of(1, 2);
const histogram = new Histogram(integer(0, 2), "u8", {
  counts: new Float64Array(2),
  underflow: 0,
  overflow: 0,
  nan: 0,
});

/** A slip of the pen in every options object of core. */
const SLIPS: readonly (readonly [string, (wrong: Anything) => unknown, string, string])[] = [
  ["openEngine", openEngine, "backnds", "backends"],
  ["multithreaded", multithreaded, "workers", "threads"],
  ["fileSamples", (wrong) => fileSamples({ path: "x", bytes: 1, ...wrong }), "typ", "type"],
  ["samples", (wrong) => samples({ data: bytes, ...wrong }), "chanels", "channels"],
  [
    "a region",
    (wrong) =>
      samples({ data: bytes, width: 1, region: { x: 0, y: 0, width: 1, height: 1, ...wrong } as Anything }),
    "heigth",
    "height",
  ],
  ["sum", (wrong) => histogram.sum(wrong), "flwo", "flow"],
  ...(
    [
      ["upload", (engine, wrong) => engine.upload(bytes, wrong), "signl", "signal"],
      ["extent", (engine, wrong) => engine.extent(bytes, wrong), "chanels", "channels"],
      ["histogram", (engine, wrong) => engine.histogram(bytes, wrong), "weigths", "weights"],
      [
        "histogram with weights",
        (engine, wrong) => engine.histogram(bytes, { weights: [1, 2], ...wrong }),
        "sqares",
        "squares",
      ],
      ["histograms", (engine, wrong) => engine.histograms(bytes, wrong), "onprogress", "onProgress"],
      [
        "encode",
        (engine, wrong) => engine.encode({}, bytes as Anything, { into: {}, ...wrong }),
        "ofset",
        "offset",
      ],
      ["table's options", (engine, wrong) => engine.table(TABLE, wrong), "sigal", "signal"],
      ["table", (engine, wrong) => engine.table({ ...TABLE, ...wrong }), "fetures", "features"],
      [
        "table.sums",
        async (engine, wrong) => (await engine.table(TABLE)).sums([1, 2], wrong),
        "document",
        "documents",
      ],
      ["supports", (engine, wrong) => engine.supports({ ...REQUEST, ...wrong }), "colisions", "collisions"],
      ["explain", (engine, wrong) => engine.explain({ ...REQUEST, ...wrong }), "sampels", "samples"],
      [
        "a column",
        (engine, wrong) => engine.supports({ samples: 1, columns: [{ ...COLUMN, ...wrong }] }),
        "tipe",
        "type",
      ],
      [
        "by",
        (engine, wrong) => engine.supports({ samples: 1, by: { type: "u8", groups: 2, ...wrong } }),
        "group",
        "groups",
      ],
      [
        "segments",
        (engine, wrong) => engine.supports({ samples: 1, segments: { every: 4, ...wrong } }),
        "evry",
        "every",
      ],
    ] satisfies [string, (engine: Anything, wrong: Anything) => unknown, string, string][]
  ).map(
    ([what, call, wrong, right]) =>
      [
        what,
        async (given: Anything) => {
          await using engine = await openEngine();
          await call(engine, given);
        },
        wrong,
        right,
      ] as const,
  ),
];
const COLUMN = { type: "u8", axis: integer(0, 256) };
const TABLE = { values: bytes, features: 1, documents: 2, bins: 3 };
const REQUEST = { algorithm: "per-lane", type: "u8", axis: integer(0, 256), samples: 1, channels: 1 };

it.each(SLIPS)("a misspelled name is an error: %s", async (_, call, wrong, right) => {
  for (const value of [1, undefined]) {
    const error = await rejectionOf((async () => call({ [wrong]: value }))());
    expect(error.code).toBe("ERR_INPUT");
    expect(error.message).toContain(`did you mean ${right}? received ${wrong}`);
  }
});

describe("backends instead of options", () => {
  const other: Backend = { ...cpu(), id: "piscina" };

  it.each([
    [other, "call openEngine({ backends: [piscina()] })"],
    [[other], "call openEngine({ backends: [piscina()] })"],
    [[other, cpu()], "call openEngine({ backends: [piscina(), cpu()] })"],
    [[cpu], "call openEngine({ backends: […] })"],
    [[], "call openEngine({ backends: [] })"],
  ])("get the advice where to pass them: %#", async (given, helps) => {
    const error = await rejectionOf(openEngine(given as Anything));
    expect(error).toMatchObject({ code: "ERR_INPUT" });
    expect(error.message).toContain("an object for options");
    expect(error.message).toContain(helps);
  });

  it("that are functions get the advice to call them", async () => {
    for (const options of [{ backend: cpu }, { backends: [cpu] }]) {
      const error = await rejectionOf(openEngine(options as Anything));
      expect(error.message).toContain("but received a value of type function; call it: cpu()");
    }
  });
});

it("undefined weights count as no weights", async () => {
  await using engine = await openEngine();
  const found = await engine.histogram(bytes, { weights: undefined } as Anything);
  expect(found).toBeInstanceOf(Histogram);
  expect(await engine.histograms(bytes, { weights: undefined } as Anything)).toHaveLength(1);
  const error = await rejectionOf(engine.histograms(bytes, { weights: "none" } as Anything));
  expect(error.message).toContain("for weights");
});

it("a file that was described elsewhere is checked in the same way", async () => {
  await using engine = await openEngine({ backend: { ...cpu(), id: "other" } });
  const file = fileSamples({ path: "x", bytes: 8, type: "f32" });
  const foreign = JSON.parse(JSON.stringify(file));
  for (const [wrong, message] of [
    [{ typ: "u8" }, "did you mean type? received typ"],
    [{ type: "q" }, 'for type but received "q"'],
    [{ pixels: 1.5 }, "expected a whole number"],
    [{ pixels: -1 }, "for bytes but received -4"],
    [{ path: undefined }, "a file's path for path"],
  ] as const) {
    const error = await rejectionOf(engine.histogram({ ...foreign, ...wrong }));
    expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining(message) });
  }
  for (const sound of [file, foreign]) {
    expect(await rejectionOf(engine.histogram(sound))).toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("cannot read"),
    });
  }
});

describe("the properties of a request of supports", () => {
  const axis = { type: "regular", bins: 256, lo: 0, hi: 256, spacing: "f64" } as Axis;
  const REQUEST = { algorithm: "sequential", type: "u8", axis, samples: 1, channels: 1 } as const;

  it.each<[string, object, string]>([
    ["no algorithm", { algorithm: "constructor" }, "ERR_UNSUPPORTED"],
    ["no type", { type: "q" }, "ERR_INPUT"],
    ["no axis", { type: "f32", axis: undefined }, "ERR_AXIS"],
    ["an axis of no kind", { axis: { ...axis, type: "magic" } }, "ERR_AXIS"],
    ["an axis without bins", { axis: { type: "regular", lo: 0, hi: 1 } }, "ERR_AXIS"],
    ["an axis beside bins", { bins: 4 }, "ERR_INPUT"],
    ["no samples", { samples: undefined }, "ERR_INPUT"],
    ["fewer samples than none", { samples: -1 }, "ERR_INPUT"],
    ["five channels", { channels: 5 }, "ERR_INPUT"],
  ])("%s is an error", async (_, wrong, code) => {
    await using engine = await openEngine();
    expect(typeof (await engine.supports(REQUEST))).toBe("object");
    expect((await rejectionOf(engine.supports({ ...REQUEST, ...wrong } as Anything))).code).toBe(code);
  });
});

it("cpu refuses threads, and names the backend that accepts them", () => {
  for (const wrong of [{ threads: 8 }, { workers: 8 }, 4]) {
    expectError(() => (cpu as Anything)(wrong), "ERR_INPUT", "multithreaded");
  }
  expectError(() => (cpu as Anything)({ algoritms: [] }), "ERR_INPUT", "did you mean algorithms?");
  for (const wrong of [null, []]) expectError(() => (cpu as Anything)(wrong), "ERR_INPUT", "an object");
});

it("options that may have weights give either result, also to the compiler", async () => {
  await using engine = await openEngine();
  const maybe: { bins: number; weights: number[] | undefined } = { bins: 2, weights: [1, 2] };
  const either = await engine.histogram(Uint8Array.of(1, 200), maybe);
  // @ts-expect-error a weighted result is no Histogram
  const plain: Histogram = either;
  expect(plain).not.toBeInstanceOf(Histogram);
});
