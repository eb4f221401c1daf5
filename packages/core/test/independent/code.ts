import type { AxisChoice, Case, Column, Samples } from "./cases.ts";
import { type AxisSpec, type Layout, SIZES } from "./reference.ts";

const ARRAYS = {
  u8: "Uint8Array",
  i8: "Int8Array",
  u16: "Uint16Array",
  i16: "Int16Array",
  u32: "Uint32Array",
  i32: "Int32Array",
  f32: "Float32Array",
  f64: "Float64Array",
  i64: "BigInt64Array",
  u64: "BigUint64Array",
} as const;

/** A case as lines of JavaScript that repeat it on an `engine`. */
export function codeOf(of: Case): string {
  const names = new Map<Samples, string>();
  const lines: string[] = [];
  for (const { samples } of of.columns) {
    if (names.has(samples)) continue;
    const name = "xyzw"[names.size]!;
    names.set(samples, name);
    const input = inputOf(samples);
    lines.push(`const ${name} = ${of.via === "resident" ? `await engine.upload(${input})` : input};`);
  }
  return [...lines, CALLS[of.call](of, names)].join("\n");
}

const CALLS: { readonly [K in Case["call"]]: (of: Case, names: ReadonlyMap<Samples, string>) => string } = {
  histogram: (of, names) => {
    const [{ samples, channel, axis }] = of.columns as [Column];
    const which = samples.layout.channels === 1 ? [] : [`channel: ${channel}`];
    const options = [...which, ...choiceOf(axis), ...selectionOf(of)];
    return regrouped(counted(of, names.get(samples)!, options, "histogram"), of);
  },
  histograms: (of, names) => {
    const [{ samples, axis }] = of.columns as [Column];
    const channels = `channels: [${of.columns.map(({ channel }) => channel).join(", ")}]`;
    const axes = () => of.columns.map((column) => axisOf(column.axis.axis!)).join(", ");
    const over = of.each ? [`axes: [${axes()}]`] : choiceOf(axis);
    return counted(of, names.get(samples)!, [channels, ...over, ...selectionOf(of)], "histograms");
  },
  joint: (of, names) => {
    const columns = of.columns.map(({ samples, channel }) => {
      const name = names.get(samples)!;
      return samples.layout.channels === 1 ? name : `{ input: ${name}, channel: ${channel} }`;
    });
    const selection = selectionOf(of);
    if (of.via === "call" || of.via === "resident") {
      const axes = of.columns.map(({ axis }) =>
        axis.axis === undefined ? `{ ${choiceOf(axis).join(", ")} }` : axisOf(axis.axis),
      );
      return `await engine.joint([${columns.join(", ")}], { ${[`axes: [${axes.join(", ")}]`, ...selection].join(", ")} });`;
    }
    const shape = of.columns.map(({ samples: { type, layout }, channel, axis }) => {
      const which = layout.channels === 1 ? "" : `, interleaved: ${layout.channels}, channel: ${channel}`;
      return `{ type: "${type}", axis: ${axisOf(axis.axis!)}${which} }`;
    });
    const inputs = of.columns.map(({ samples }) => names.get(samples)!);
    const own = `{ ${[`columns: [${inputs.join(", ")}]`, ...selection].join(", ")} }`;
    const all = of.via === "count" ? own : `[${own}, ${own}]`;
    return `await (await engine.prepare({ columns: [${shape.join(", ")}] })).${of.via}(${all});`;
  },
  segments: (of, names) => {
    const [{ samples, channel, axis }] = of.columns as [Column];
    const which = samples.layout.channels === 1 ? [] : [`channel: ${channel}`];
    const options = [...which, ...choiceOf(axis), ...(of.leave ? ["leave: true"] : [])];
    return `await engine.segments(${names.get(samples)}, ${plain(of.cut)}, { ${options.join(", ")} });`;
  },
};

/** Lines whose last one also joins or cuts bins. */
function regrouped(lines: string, { regroup }: Case): string {
  if (regroup === undefined) return lines;
  const last = lines.lastIndexOf("\n") + 1;
  const call = "rebin" in regroup ? `rebin(${plain(regroup.rebin)})` : `slice(${regroup.slice.join(", ")})`;
  return `${lines.slice(0, last)}(${lines.slice(last, -1)}).${call};`;
}

function counted(of: Case, name: string, options: readonly string[], call: string): string {
  const { type, layout } = of.columns[0]!.samples;
  if (of.via === "call" || of.via === "resident")
    return `await engine.${call}(${name}, { ${options.join(", ")} });`;
  const shape = [`type: "${type}"`, `interleaved: ${layout.channels}`, ...options].join(", ");
  if (of.via === "stream") return `await engine.${call}(new Blob([${name}]), { ${shape} });`;
  const counter = `await engine.prepare({ ${shape} })`;
  if (of.via !== "accumulate")
    return `await (${counter}).${of.via}(${of.via === "countAll" ? `[${name}, ${name}]` : name});`;
  return `const counter = ${counter};\nawait counter.accumulate(${name});\nawait counter.take();`;
}

function inputOf({ type, bytes, layout, form }: Samples): string {
  const isPlain = layout.channels === 1 && layout.width === undefined;
  const shape = isPlain ? [] : fieldsOf(layout);
  if (form === "numbers") return `[${numbersOf("f64", bytes)}]`;
  if (type !== "f16" && form === "array" && bytes.length % SIZES[type] === 0) {
    return isPlain ? arrayOf(type, bytes) : `{ data: ${arrayOf(type, bytes)}, ${shape.join(", ")} }`;
  }
  const moved = `Uint8Array.of(0, 0, 0, ${[...bytes].join(", ")}).subarray(3)`;
  return `{ ${[`data: ${moved}`, `type: "${type}"`, ...shape].join(", ")} }`;
}

function fieldsOf(layout: Layout): string[] {
  return Object.entries(layout).map(([name, value]) => `${name}: ${plain(value)}`);
}

function arrayOf(type: Exclude<Samples["type"], "f16">, bytes: Uint8Array): string {
  const isFloat = type === "f32" || type === "f64";
  if (isFloat && hasPayload(type, bytes))
    return `new ${ARRAYS[type]}(Uint8Array.of(${[...bytes].join(", ")}).buffer)`;
  return `${ARRAYS[type]}.of(${numbersOf(type, bytes)})`;
}

function valuesOf(type: Exclude<Samples["type"], "f16">, bytes: Uint8Array): (number | bigint)[] {
  const OwnArray = (globalThis as unknown as Record<string, Float64ArrayConstructor>)[ARRAYS[type]]!;
  return [...new OwnArray(bytes.slice().buffer)];
}

const numbersOf = (type: Exclude<Samples["type"], "f16">, bytes: Uint8Array): string =>
  valuesOf(type, bytes).map(plain).join(", ");

/** Whether a NaN has other bits than the literal. */
function hasPayload(type: "f32" | "f64", bytes: Uint8Array): boolean {
  const again = (type === "f32" ? Float32Array : Float64Array).from(valuesOf(type, bytes) as number[]);
  return new Uint8Array(again.buffer).some((byte, i) => byte !== bytes[i]);
}

function choiceOf(choice: AxisChoice): string[] {
  if (choice.axis !== undefined) return [`axis: ${axisOf(choice.axis)}`];
  const { bins, range } = choice;
  return [
    ...(bins === undefined ? [] : [`bins: ${plain(bins)}`]),
    ...(range === undefined ? [] : [`range: ${plain(range)}`]),
  ];
}

function axisOf(axis: AxisSpec): string {
  const end = "closed" in axis && axis.closed !== undefined ? `, { closed: ${axis.closed} }` : "";
  switch (axis.kind) {
    case "integer":
      return `integer(${plain(axis.start)}, ${plain(axis.stop)})`;
    case "regular":
      return `regular(${axis.bins}, ${plain(axis.lo)}, ${plain(axis.hi)}${end})`;
    case "log":
      return `log(${axis.bins}, ${plain(axis.lo)}, ${plain(axis.hi)}${end})`;
    case "power":
      return `power(${axis.bins}, ${plain(axis.lo)}, ${plain(axis.hi)}, ${axis.exponent}${end})`;
    case "variable":
      return `variable(${plain(axis.edges)}${end})`;
    case "quantiles":
      return `quantiles(${axis.bins}, ${plain(axis.values)}, ${axis.zeros})`;
    case "category":
      return `category(${plain(axis.values)})`;
    case "boolean":
      return "boolean()";
    case "circular":
      return `circular(${axis.bins}, ${plain(axis.lo)}, ${plain(axis.hi)})`;
  }
}

function selectionOf({ mask, where, by, weights }: Case): string[] {
  const lines: string[] = [];
  const bytes = (of: Uint8Array) => `Uint8Array.of(${[...of].join(", ")})`;
  if (mask !== undefined)
    lines.push(`mask: ${mask.as === "bits" ? `{ bits: ${bytes(mask.bytes)} }` : bytes(mask.bytes)}`);
  if (where !== undefined) lines.push(`where: Uint32Array.of(${where.join(", ")})`);
  if (by !== undefined) lines.push(`by: { codes: ${inputOf(by.codes)}, groups: ${by.groups} }`);
  if (weights === undefined) return lines;
  const array = { f32: "Float32Array.of(", f64: "Float64Array.of(", numbers: "[" }[weights.as];
  lines.push(
    `weights: ${array}${weights.values.map(plain).join(", ")}${weights.as === "numbers" ? "]" : ")"}`,
  );
  if (weights.squares) lines.push("squares: true");
  if (weights.precision === "fast") lines.push('precision: "fast"');
  return lines;
}

/** A value as it stands in JavaScript. */
function plain(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(plain).join(", ")}]`;
  const fields = Object.entries(value as object).map(([name, one]) => `${name}: ${plain(one)}`);
  return `{ ${fields.join(", ")} }`;
}
