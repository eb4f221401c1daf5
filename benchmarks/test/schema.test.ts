import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { resultsOf } from "../src/runner/report.ts";
import type { Machine, Results, Row, SegmentShape, Spread, Weighted } from "../src/runner/row.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const schema = JSON.parse(readFileSync(`${folder}/result.schema.json`, "utf8"));
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const results = ajv.compile(schema);
const conformance = ajv.compile({ $ref: `${schema.$id}#/$defs/conformance` });

const ROW: Row = {
  backend: "cpu",
  algorithm: "sequential",
  peer: null,
  type: "u8",
  bins: 256,
  n: 1024,
  distribution: "uniform",
  residence: "resident",
  ms: [1, 2],
  gbps: 1,
  ceilingPercent: null,
  exact: true,
};

describe("every committed result file is of the schema", () => {
  const files = globSync("results/*/*.json", { cwd: folder }).sort();
  expect(files.length).toBeGreaterThan(20);
  it.each(files)("%s", (file) => {
    const isOf = basename(file).startsWith("conformance-") ? conformance : results;
    isOf(JSON.parse(readFileSync(`${folder}/${file}`, "utf8")));
    expect((isOf.errors ?? []).slice(0, 5)).toEqual([]);
  });
});

it("takes what a run writes, and nothing else", () => {
  const written = (row: object) =>
    results(JSON.parse(JSON.stringify(resultsOf({ rows: [row as Row], missing: [], commit: "unknown" }))));
  expect(written(ROW)).toBe(true);
  expect(written({ ...ROW, surprise: 1 })).toBe(false);
  expect(written({ ...ROW, ms: [] })).toBe(false);
  expect(written({ ...ROW, residence: "elsewhere" })).toBe(false);
  const { exact: _exact, ...without } = ROW;
  expect(written(without)).toBe(false);
});

// The types of result.ts are written by hand: the compiler checks these lists against them, the test against the schema.
const KEYS: { [name in "row" | "segments" | "weighted" | "spread" | "machine"]: readonly string[] } = {
  row: Object.keys({
    backend: 0,
    device: 0,
    algorithm: 0,
    peer: 0,
    variant: 0,
    type: 0,
    bins: 0,
    n: 0,
    distribution: 0,
    residence: 0,
    memory: 0,
    threads: 0,
    devices: 0,
    call: 0,
    inFlight: 0,
    segments: 0,
    ms: 0,
    p99: 0,
    callMs: 0,
    gbps: 0,
    valuesPerSecond: 0,
    weighted: 0,
    ceilingPercent: 0,
    rowSumEfficiency: 0,
    peakBytes: 0,
    exact: 0,
    offBy: 0,
  } satisfies Record<keyof Row, 0>),
  segments: Object.keys({ count: 0, each: 0 } satisfies Record<keyof SegmentShape, 0>),
  weighted: Object.keys({
    features: 0,
    documents: 0,
    adds: 0,
    precision: 0,
    skip: 0,
    fetch: 0,
    reduce: 0,
    unroll: 0,
    warps: 0,
    buffer: 0,
    sigma: 0,
    zeroShare: 0,
    figures: 0,
    plans: 0,
  } satisfies Record<keyof Weighted, 0>),
  spread: Object.keys({
    backend: 0,
    algorithm: 0,
    peer: 0,
    variant: 0,
    threads: 0,
    type: 0,
    bins: 0,
    n: 0,
    residence: 0,
    memory: 0,
    devices: 0,
    call: 0,
    inFlight: 0,
    segments: 0,
    worst: 0,
    best: 0,
    worstOverBest: 0,
    ceilingPercent: 0,
  } satisfies Record<keyof Spread, 0>),
  machine: Object.keys({ cpu: 0, cores: 0, gpu: 0, driver: 0, node: 0, os: 0 } satisfies Record<
    keyof Machine,
    0
  >),
};

it.each(Object.keys(KEYS) as (keyof typeof KEYS)[])("the schema has the fields of the type %s", (name) => {
  expect(Object.keys(schema.$defs[name].properties).sort()).toEqual([...KEYS[name]].sort());
});

it("the schema has the fields of a file", () => {
  const of = {
    schema: 0,
    commit: 0,
    date: 0,
    machine: 0,
    sources: 0,
    notes: 0,
    spreads: 0,
    rows: 0,
    missing: 0,
  } satisfies Record<keyof Results, 0>;
  expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(of).sort());
});
