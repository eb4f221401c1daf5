import { axisCode } from "./axes.ts";
import { groupsData, maskData, weightsData } from "./expected.ts";
import { listed } from "./over.ts";
import { type Column, type How, isEach, type Over, type Request, type Weighing } from "./request.ts";
import { countedPixels, type Data, isRead, samplesOf, shapeOf } from "./samples.ts";

/** Samples that are written out. */
const WRITTEN = 16;

/** Returns a request as code, for a person who reads or repeats it. A long array is written as the call that creates it. */
export function codeOf(request: Request): string {
  const { columns, as, rows, way } = request;
  const [first] = columns as [Column];
  const options = optionsOf(request);
  const axes = `axes: ${list(columns.map(({ over }) => overCode(over)))}`;
  const channels = `channels: ${list(columns.map(({ channel }) => channel))}`;
  const over = fieldOf(first.over);
  const all = columns.length === 1 ? inputOf(first.data) : list(columns.map(columnCode));
  const whose = columns.length === 1 ? [over, ...channelOf(first)] : [axes];
  if (way === "encode")
    return `await engine.encode(encoder, ${inputOf(first.data)}, ${object([over, channels, ...options])})`;
  if (way !== "call") {
    const shapes = columns.map((column) => `{ type: "${column.data.type}", ${fieldOf(column.over)} }`);
    return `await (await engine.prepare(${object([`columns: ${list(shapes)}`, ...options])})).${way}(${all})`;
  }
  if (as === "channels")
    return `await engine.joint(${inputOf(first.data)}, ${object([axes, channels, ...options])})`;
  if (isEach(request)) {
    const named = as === "each" ? over : axes;
    return `await engine.histograms(${inputOf(first.data)}, ${object([named, channels, ...options])})`;
  }
  if (rows !== null && "cut" in rows) {
    const left = rows.leave ? ["leave: true"] : [];
    const cut = JSON.stringify(rows.cut);
    return `await engine.segments(${all}, ${cut}, ${object([...whose, ...options, ...left])})`;
  }
  return `await engine.${columns.length === 1 ? "histogram" : "joint"}(${all}, ${object([...whose, ...options])})`;
}

export const object = (fields: readonly string[]): string => `{ ${fields.join(", ")} }`;
const list = (of: readonly unknown[]): string => `[${of.join(", ")}]`;

/** The selection, rows, storage and algorithm of a request. */
function optionsOf({ columns, select, rows, weights, how }: Request): readonly string[] {
  const n = countedPixels(columns[0]!.data);
  const { mask, where } = select;
  const by = rows !== null && "by" in rows ? rows.by : null;
  const bytes = mask && inputOf(maskData(mask, n));
  return [
    ...howCode(how),
    ...(mask ? [mask.form === "bits" ? `mask: { bits: bitsOf(${bytes}) }` : `mask: ${bytes}`] : []),
    ...(where ? [`where: indices(${n}, ${where.length}, ${where.seed})`] : []),
    ...(by ? [`by: { codes: ${inputOf(groupsData(by, n))}, groups: ${by.groups} }`] : []),
    ...(weights ? [`weights: ${weightsCode(weights, n)}`] : []),
    ...(weights?.squares ? ["squares: true"] : []),
    ...(weights?.precision === "fast" ? ['precision: "fast"'] : []),
  ];
}

function weightsCode(weights: Weighing, n: number): string {
  const columns = weightsData(weights, n).map(inputOf);
  return weights.more === undefined ? columns[0]! : list(columns);
}

export function howCode(how: How | null): readonly string[] {
  if (how === null) return [];
  const parameters = Object.entries(how.parameters).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return [`algorithm: "${how.algorithm}"`, ...parameters];
}

const channelOf = ({ data, channel }: Column): readonly string[] =>
  data.channels > 1 ? [`channel: ${channel}`] : [];

function columnCode(column: Column): string {
  const { data } = column;
  return data.channels > 1 ? object([`input: ${inputOf(data)}`, ...channelOf(column)]) : inputOf(data);
}

export const fieldOf = (over: Over): string =>
  "axis" in over ? `axis: ${overCode(over)}` : overCode(over).slice(2, -2);

function overCode(over: Over): string {
  const of = listed(over);
  return "type" in of ? axisCode(of) : `{ bins: ${of.bins}, range: ${JSON.stringify(of.range)} }`;
}

/** Writes few samples out, and names others by what makes them (`samplesOf` of this suite). */
export function inputOf(data: Data): string {
  const { type, channels, form, picture } = data;
  const values = samplesOf(data);
  const isPlain = channels === 1 && picture === null && type !== "f16";
  const one = (x: number | bigint) => (typeof x === "bigint" ? `${x}n` : Object.is(x, -0) ? "-0" : String(x));
  const array =
    values.length <= WRITTEN
      ? `${values.constructor.name}.of(${Array.from(values, one).join(", ")})`
      : `samplesOf(${JSON.stringify(data)})`;
  const given = isPlain ? array : `{ data: ${array}, ${JSON.stringify(shapeOf(data)).slice(1)}`;
  if (form === "resident") return `await engine.upload(${given})`;
  return form === "array" ? given : `${isRead(form) ? "read" : "placed"}(${given}, "${form}")`;
}
