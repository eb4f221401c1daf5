import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as backend from "../src/backend/index.ts";
import * as user from "../src/index.ts";

/** What a user imports: one name more, or one less, is a decision. Types are among them. */
const USER = [
  "AnyHistogram",
  "AnyJointHistogram",
  "ArrayOf",
  "Axis",
  "AxisEnd",
  "Backend",
  "BinRule",
  "ByteStream",
  "CellsPlan",
  "ChannelsPlan",
  "CountRequest",
  "Countable",
  "Counter",
  "EncodeOptions",
  "Encoded",
  "Engine",
  "ErrorCode",
  "Explanation",
  "Extent",
  "External",
  "FeatureTable",
  "FeatureTableInit",
  "FileInput",
  "GivenWeights",
  "Grouped",
  "Groups",
  "GroupsRequest",
  "Histogram",
  "HistogramOptions",
  "JointColumnInput",
  "JointColumnRequest",
  "JointCounter",
  "JointCounterInput",
  "JointHistogram",
  "JointOptions",
  "JointPrepareOptions",
  "JointSource",
  "Mask",
  "MeanHistogram",
  "MeanJointHistogram",
  "OpenOptions",
  "PerWeights",
  "PlainRequest",
  "Plan",
  "PolybinError",
  "PrepareOptions",
  "Probe",
  "Progress",
  "Resident",
  "SampleType",
  "SamplesInit",
  "Segmented",
  "SegmentedOptions",
  "SegmentedResident",
  "SegmentsInit",
  "SelectedOptions",
  "Skipped",
  "Slug",
  "StreamColumn",
  "SumsOptions",
  "SumsPlan",
  "TableSums",
  "TableSumsOnly",
  "Timings",
  "UhiHistogram",
  "UhiJointHistogram",
  "Weighed",
  "WeightType",
  "WeightedHistogram",
  "WeightedHistogramOptions",
  "WeightedJointHistogram",
  "WeightedJointOptions",
  "WeightedSegmentedOptions",
  "WeightedSelectedOptions",
  "WeightedSlug",
  "Weights",
  "boolean",
  "category",
  "circular",
  "cpu",
  "fileSamples",
  "histogramsFromJSON",
  "indices",
  "integer",
  "isPolybinError",
  "log",
  "nice",
  "openEngine",
  "power",
  "quantiles",
  "regular",
  "variable",
];

/** The names of `export { a, type b, c as d } from "file"`, each with its file and its name there. */
function reexports(file: URL): Map<string, { readonly from: URL; readonly name: string }> {
  const found = new Map<string, { from: URL; name: string }>();
  const text = readFileSync(file, "utf8");
  for (const [, names, from] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";$/gm)) {
    for (const part of names!.split(",").filter((one) => one.trim() !== "")) {
      const [name, as = name] = part
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      found.set(as!, { from: new URL(from!, file), name: name! });
    }
  }
  return found;
}

/** The text before a name's declaration, wherever that is. */
function beforeDeclaration(file: URL, name: string): string {
  const passedOn = reexports(file).get(name);
  if (passedOn !== undefined) return beforeDeclaration(passedOn.from, passedOn.name);
  const text = readFileSync(file, "utf8");
  const declaration = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:async )?(?:class|const|enum|function|interface|type) ${name}\\b`,
    "m",
  );
  const at = text.search(declaration);
  if (at < 0) throw new Error(`${file.pathname} declares no ${name}`);
  return text.slice(0, at);
}

const DOOR = new URL("../src/index.ts", import.meta.url);

describe("the door for users", () => {
  it("has these names", () => {
    expect([...reexports(DOOR).keys()].sort()).toEqual(USER);
    // Nothing comes in another way than by its name.
    const text = readFileSync(DOOR, "utf8");
    expect(text.match(/^export/gm)!.length).toBe(text.match(/^export (?:type )?\{/gm)!.length);
    for (const name of Object.keys(user)) expect(USER).toContain(name);
  });

  it.each(USER)("%s is documented", (name) => {
    expect(beforeDeclaration(DOOR, name)).toMatch(/\*\/\n(?:\/\/ biome-ignore [^\n]*\n)*$/);
  });

  it("shares no name with another meaning with the door for backends", () => {
    const values: Readonly<Record<string, unknown>> = user;
    for (const [name, value] of Object.entries(backend)) {
      if (name in values) expect(value).toBe(values[name]);
    }
    const authors = reexports(new URL("../src/backend/index.ts", import.meta.url));
    for (const name of USER.filter((one) => authors.has(one))) {
      const of = authors.get(name)!;
      const here = reexports(DOOR).get(name)!;
      expect(beforeDeclaration(of.from, of.name)).toBe(beforeDeclaration(here.from, here.name));
    }
  });
});
