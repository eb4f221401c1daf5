import { type Axis, checkedAxis } from "../axis/index.ts";
import { expected, FLOW_ROWS } from "../base/index.ts";
import { INPUT_TYPES, type SampleType } from "../input/index.ts";
import { type RowNumbers, Segmented as Rows } from "./segmented.ts";
import { A_COUNT, isCount, record } from "./uhi/json.ts";

/**
 * The class with its reader. Bundlers drop the reader from a program that only counts. This name differs from that of the
 * class, which a bundler would otherwise rename.
 */
export const ReadableSegmented: typeof Rows = /* @__PURE__ */ readable();
export type ReadableSegmented = Rows;

function readable(): typeof Rows {
  Rows.fromJSON = segmentedOf;
  return Rows;
}

const FLOW = ["underflow", "overflow", "nan"] as const;

function segmentedOf(given: unknown): Rows {
  const json = record(given, "segmented");
  const type = json.type as SampleType;
  if (!INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${INPUT_TYPES.join(", ")}`, type);
  }
  const axis = axisOf(record(json.axis, "axis"));
  const { bins } = axis;
  const { segments } = json;
  if (!isCount(segments)) throw expected("ERR_INPUT", "segments", A_COUNT, segments);
  // All lengths are checked before memory is taken for them.
  const rows = arrayOf(json.counts, "counts", segments).map((row, i) => arrayOf(row, `counts[${i}]`, bins));
  const flows = FLOW.map((name) => arrayOf(json[name], name, segments));
  const isWide = [...rows, ...flows].some((numbers) => numbers.some((count) => (count as number) >= 2 ** 32));
  const memory = (length: number): RowNumbers =>
    isWide ? new Float64Array(length) : new Uint32Array(length);
  const counts = memory(segments * bins);
  const flow = memory(segments * FLOW_ROWS);
  for (const [i, row] of rows.entries()) {
    for (const [bin, count] of row.entries()) counts[i * bins + bin] = counted(count, `counts[${i}][${bin}]`);
    for (const [kind, of] of flows.entries()) {
      flow[i * FLOW_ROWS + kind] = counted(of[i], `${FLOW[kind]}[${i}]`);
    }
  }
  const masked = json.masked === undefined ? 0 : counted(json.masked, "masked");
  return new Rows({ axis, type, segments, masked, provenance: null }, { counts, flow });
}

/** Only a variable axis is defined by its edges. */
function axisOf(given: Readonly<Record<string, unknown>>): Axis {
  const { edges, ...own } = given;
  return checkedAxis(given.type === "variable" ? given : own);
}

function arrayOf(value: unknown, name: string, length: number): readonly unknown[] {
  if (!Array.isArray(value)) throw expected("ERR_INPUT", name, "an array", value);
  if (value.length !== length) throw expected("ERR_INPUT", `${name}.length`, `${length}`, value.length);
  return value;
}

function counted(value: unknown, name: string): number {
  if (isCount(value)) return value;
  throw expected("ERR_INPUT", name, A_COUNT, value);
}
