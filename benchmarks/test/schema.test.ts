import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { resultsOf } from "../src/runner/report.ts";
import type {
  Clocks,
  Machine,
  Published,
  Results,
  Row,
  SegmentShape,
  Spread,
  Weighted,
} from "../src/runner/row.ts";
import { errorsOf, read, rowWith } from "./shared.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const schema = JSON.parse(readFileSync(`${folder}/result.schema.json`, "utf8"));

describe("every committed result file is of the schema", () => {
  const files = globSync("results/*/*.json", { cwd: folder }).sort();
  expect(files.length).toBeGreaterThan(20);
  it.each(files)("%s", (file) => {
    const definition = basename(file).startsWith("conformance-") ? "#/$defs/conformance" : "";
    expect(errorsOf(read(`${folder}/${file}`), definition)).toEqual([]);
  });
});

it("takes what a run writes, and nothing else", () => {
  const errors = (row: object) =>
    errorsOf(resultsOf({ rows: [row as Row], missing: [], commit: "unknown" })).length;
  expect(errors(rowWith())).toBe(0);
  const { exact: _exact, ...without } = rowWith();
  const wrong = [{ surprise: 1 }, { ms: [] }, { residence: "elsewhere" }] as object[];
  for (const row of [...wrong.map((more) => rowWith(more)), without]) expect(errors(row)).toBeGreaterThan(0);
});

type Words<Text extends string> = Text extends `${infer One} ${infer Rest}` ? One | Words<Rest> : Text;
/** Splits the names of a type's fields. The compiler checks that there are all, and no others. */
const fieldsOf =
  <Of>() =>
  <Text extends string>(
    text: [keyof Of, Words<Text>] extends [Words<Text>, keyof Of] ? Text : never,
  ): string[] =>
    text.split(" ");

// The types of row.ts are written by hand: the compiler checks these lists against them, the test against the schema.
it.each([
  [
    schema.$defs.row,
    fieldsOf<Row>()(
      "backend device algorithm peer variant type bins n distribution residence memory threads devices call inFlight segments ms interval p99 callMs gbps valuesPerSecond weighted published clocks ceilingPercent rowSumEfficiency peakBytes grownBytes exact offBy",
    ),
  ],
  [schema.$defs.segments, fieldsOf<SegmentShape>()("count each")],
  [
    schema.$defs.weighted,
    fieldsOf<Weighted>()(
      "features documents adds precision skip fetch reduce unroll warps buffer sigma zeroShare figures plans",
    ),
  ],
  [
    schema.$defs.published,
    fieldsOf<Published>()(
      "paper method launch figures threads blocks blocksPerUnit sharedBytes registers parameters mergeMs wrong",
    ),
  ],
  [schema.$defs.clocks, fieldsOf<Clocks>()("sm memory")],
  [
    schema.$defs.spread,
    fieldsOf<Spread>()(
      "backend algorithm peer variant threads type bins n residence memory devices call inFlight segments worst best worstOverBest ceilingPercent",
    ),
  ],
  [schema.$defs.machine, fieldsOf<Machine>()("cpu cores gpu driver node os")],
  [schema, fieldsOf<Results>()("schema commit date machine sources notes spreads rows missing")],
])("the schema has the fields of a type: %#", ({ properties }, names) => {
  expect(Object.keys(properties).sort()).toEqual(names.toSorted());
});
