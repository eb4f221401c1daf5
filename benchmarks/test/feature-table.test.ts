import { cpu, type Engine, openEngine, type TableSums } from "@polybin/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusteredRow, normalRow, packed, rowOf, sparseRow, typeFor } from "../src/data/feature-rows.ts";
import { judge, SHIFT_BYTES, ShiftedTable, truthOf, weightsOf } from "../src/data/feature-table.ts";

const DOCUMENTS = 4096;
let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ backend: cpu() });
});
afterAll(() => engine.close());

describe("rows", () => {
  it("are degenerate without a deviation and uniform with one without end", () => {
    expect(new Set(normalRow(0, 1024, DOCUMENTS).values)).toEqual(new Set([512]));
    expect(new Set(normalRow(Number.POSITIVE_INFINITY, 16, DOCUMENTS).values).size).toBe(16);
    const { values, name, sigma } = normalRow(10, 1024, DOCUMENTS);
    const variance = values.reduce((sum, x) => sum + (x - 512) ** 2, 0) / DOCUMENTS;
    expect([name, sigma]).toEqual(["sigma 10", 10]);
    expect(Math.sqrt(variance)).toBeCloseTo(10, 0);
  });

  it("have as many zeros as they say", () => {
    for (const share of [0, 0.5, 1]) {
      const { values } = sparseRow(share, 256, DOCUMENTS);
      const zeros = values.filter((x) => x === 0).length;
      expect(Math.abs(zeros / DOCUMENTS - share)).toBeLessThan(0.05);
      expect(Math.max(...values)).toBeLessThan(256);
    }
  });

  it("keep equal values together in runs", () => {
    const { values, name } = clusteredRow(0.5, 16, 256, 1000);
    expect(name).toBe("50% zeros, runs of 16");
    expect(values).toHaveLength(1000);
    for (let i = 0; i < 1000; i++) expect(values[i]).toBe(values[i - (i % 16)]);
    expect(new Set(values).size).toBeGreaterThan(16);
    expect(clusteredRow(0.5, 1, 256, 1000).values).toEqual(sparseRow(0.5, 256, 1000).values);
  });

  it("have the paper's types", () => {
    expect([2, 16, 32, 256, 512, 1024].map(typeFor)).toEqual(["u4", "u4", "u8", "u8", "u16", "u16"]);
    expect(packed("u4", Uint16Array.of(1, 2, 15, 3))).toEqual(Uint8Array.of(0x21, 0x3f));
    expect(packed("u16", Uint16Array.of(1, 515))).toEqual(Uint8Array.of(1, 0, 3, 2));
  });
});

describe("a shifted table", () => {
  it("takes turns with other rows", async () => {
    const rows = [2, 5, 9].map((value) => ({ name: "", bins: 16, values: new Uint16Array(64).fill(value) }));
    const of = new ShiftedTable(rows[0]!, "u4", 4, rows.slice(1));
    await using table = await engine.table(of.init());
    const { counts } = await table.sums(new Float32Array(64));
    expect(counts.map((bins) => bins.indexOf(64))).toEqual([2, 5, 9, 2]);
  });

  it.each([
    ["u4", 16, 2],
    ["u8", 256, 1],
    ["u16", 1024, 0.5],
  ] as const)("of %s holds each feature from another document on", async (type, bins, perByte) => {
    const row = sparseRow(0.3, bins, 20_000);
    const of = new ShiftedTable(row, type, 5);
    await using table = await engine.table(of.init());
    // The document that feature f begins with is its row's f * SHIFT-th byte.
    const weights = new Float32Array(20_000);
    weights[0] = 1;
    const { sums } = await table.sums(weights);
    const firsts = Array.from({ length: 5 }, (_, f) => row.values[(f * SHIFT_BYTES * perByte) % 20_000]!);
    expect(sums.map((bin) => bin.indexOf(1))).toEqual(firsts);
  });
});

describe("weights", () => {
  it("are whole multiples of 2^-20 with sums that doubles hold, and of either sign", async () => {
    const weights = weightsOf(DOCUMENTS);
    expect(weights.every((w) => Number.isInteger(w * 2 ** 20) && Math.abs(w) < 1)).toBe(true);
    expect(weights.filter((w) => w < 0).length).toBeGreaterThan(DOCUMENTS / 3);
    await using table = await engine.table({
      values: new Uint8Array(DOCUMENTS),
      features: 1,
      documents: DOCUMENTS,
      bins: 2,
    });
    const { sums } = await table.sums(weights);
    expect(sums[0]![0]).toBe(weights.reduce((sum, w) => sum + w, 0));
  });
});

describe("the judge", () => {
  const of = new ShiftedTable(rowOf("gauss", 256, DOCUMENTS), "u8", 6);
  const weights = weightsOf(DOCUMENTS);
  const found = async (precision: "reproducible" | "fast") => {
    await using table = await engine.table(of.init());
    return table.sums(weights, { precision, squares: true });
  };
  const changed = (
    sums: TableSums,
    what: "counts" | "sums" | "sumsOfSquares",
    feature: number,
    by: number,
  ) => {
    const arrays = sums[what]!.map((array) => array.slice());
    arrays[feature]![128]! += by;
    return { ...sums, [what]: arrays };
  };

  it("passes what is right, to the last bit", async () => {
    const truth = await truthOf(engine, of, weights);
    const right = await found("reproducible");
    expect(judge(right, truth)).toEqual({ wrong: null, offBy: null });
    for (const what of ["counts", "sums", "sumsOfSquares"] as const) {
      for (const feature of [0, 3, 5]) {
        expect(judge(changed(right, what, feature, 2 ** -30), truth).wrong).toContain(
          `feature ${feature}, bin 128`,
        );
      }
    }
  });

  it("says how far floats are off, and refuses more than the tolerance", async () => {
    const truth = await truthOf(engine, of, weights);
    const { wrong, offBy } = judge(await found("fast"), truth);
    expect(wrong).toBeNull();
    expect(offBy).toBeLessThan(2 ** -9);
    const size = truth.sizes.sums[0]![128]!;
    expect(judge(changed(await found("fast"), "sums", 0, size / 1024), truth).offBy).toBeCloseTo(1 / 1024, 4);
    expect(judge(changed(await found("fast"), "sums", 0, size / 100), truth).wrong).toContain(
      "expected errors of at most",
    );
    expect(judge(changed(await found("fast"), "sums", 0, Number.NaN), truth).wrong).toContain(
      "expected errors of at most",
    );
  });
});
