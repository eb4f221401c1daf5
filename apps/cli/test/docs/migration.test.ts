// What docs/compare says of edges, the last bin, flow and NaN, on generated inputs: polybin beside d3-array and, where
// python3 has it, NumPy.
import { type Engine, integer, openEngine, variable } from "@polybin/core";
import { bin } from "d3-array";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./run.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

/** Reproducible numbers of [0, 1). */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Samples of which many lie on edges, below, above, and some are no numbers. */
function samples(count: number, seed: number): number[] {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const value = next.next().value * 14 - 2;
    const kind = next.next().value;
    if (kind < 0.02) return Number.NaN;
    return kind < 0.3 ? Math.round(value) : kind < 0.5 ? Math.round(value * 10) / 10 : value;
  });
}

test("d3.bin with edges counts the same, and drops what polybin counts as flow and NaN", async () => {
  for (const seed of [1, 2, 3]) {
    const values = samples(2000, seed);
    for (const edges of [
      [0, 1, 2, 3, 10],
      [-1, 0.1, 0.3, 2.5, 9],
    ]) {
      const found = bin()
        .domain([edges[0]!, edges.at(-1)!])
        .thresholds(edges.slice(1, -1))(values);
      const h = await engine.histogram(values, { axis: variable(edges) });
      expect([...h.counts]).toEqual(found.map(({ length }) => length));
      expect([...h.edges]).toEqual([...found.map(({ x0 }) => x0), found.at(-1)!.x1]);
      expect(h.underflow * h.overflow * h.nan).toBeGreaterThan(0);
      expect(h.sum({ flow: true })).toBe(values.length);
    }
  }
});

const ARRAYS = {
  u1: Uint8Array,
  i1: Int8Array,
  u2: Uint16Array,
  i2: Int16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array,
};

/** Reads cases, one line of JSON each, and prints counts and edges as JSON. */
const NUMPY = `
import json, sys
import numpy as np
for line in sys.argv[1].split("\\n"):
    case = json.loads(line)
    x = np.array(case["values"], dtype=case["type"])
    counts, edges = np.histogram(x, bins=case["bins"], range=case["range"])
    print(json.dumps([counts.tolist(), edges.astype("f8").tolist()]))
`;

test("numpy.histogram has the same counts and edges for every sample type", async ({ skip }) => {
  const found = await run("python3", ["-c", "import numpy; print(numpy.__version__)"]).catch(
    (error) => error,
  );
  if (found instanceof Error) return skip("python3 has no module numpy");
  // NumPy 1 spaces the edges of f32 samples in f64.
  if (found.stdout.startsWith("1."))
    return skip(`python3 has NumPy ${found.stdout.trim()}, and this compares with NumPy 2`);
  const cases = Object.keys(ARRAYS).flatMap((type, seed) => {
    const isFloat = type.startsWith("f");
    const all = samples(500, seed + 1).map((value) => (isFloat ? value : Math.abs(Math.round(value * 9))));
    const finite = all.filter((value) => !Number.isNaN(value));
    return [
      { type, values: isFloat ? all : finite, bins: 7, range: [0, 10] },
      { type, values: isFloat ? all : finite, bins: [0, 0.3, 1, 2.5, 9], range: null },
      { type, values: finite, bins: 33, range: null },
    ] as const;
  });
  const line = ({ type, values, bins, range }: (typeof cases)[number]): string =>
    `{"type": "${type}", "values": [${values.join(", ")}], "bins": ${JSON.stringify(bins)}, "range": ${JSON.stringify(range)}}`;
  const { stdout } = await run("python3", ["-c", NUMPY, cases.map(line).join("\n")]);
  const theirs = stdout
    .trim()
    .split("\n")
    .map((printed) => JSON.parse(printed));
  for (const [i, { type, values, bins, range }] of cases.entries()) {
    const x = new ARRAYS[type as keyof typeof ARRAYS](values);
    const options =
      typeof bins === "object" ? { axis: variable(bins) } : { bins, range: range ?? ("data" as const) };
    const h = await engine.histogram(x, options as Parameters<Engine["histogram"]>[1]);
    expect([[...h.counts], [...h.edges]], `${type}, ${JSON.stringify(bins)}`).toEqual(theirs[i]);
  }
});

test("numpy.bincount is an integer axis", async ({ skip }) => {
  const found = await run("python3", ["-c", "import numpy"]).catch((error) => error);
  if (found instanceof Error) return skip("python3 has no module numpy");
  const values = samples(300, 9).map((value) => Math.abs(Math.round(value)) || 0);
  const program = `import numpy as np; print(np.bincount([${values}], minlength=16).tolist())`;
  const { stdout } = await run("python3", ["-c", program]);
  const h = await engine.histogram(Uint8Array.from(values), { axis: integer(0, 16) });
  expect([...h.counts]).toEqual(JSON.parse(stdout));
});
