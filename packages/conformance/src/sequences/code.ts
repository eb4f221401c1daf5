import { AXES, axisCode } from "./axes.ts";
import { countedPixels, type Data, samplesOf, shapeOf } from "./samples.ts";
import type { How, Over, Select, Step, Weighing } from "./step.ts";

/** Samples that are written out. */
const WRITTEN = 16;

/** Returns a sequence as code, for a person who reads or repeats it. Long arrays are named by what makes them. */
export function codeOf(steps: readonly Step[]): string {
  const lines = steps.map((step) => `${statement(step)};`);
  return ["const engine = await openEngine({ backend });", ...lines].join("\n");
}

function statement(step: Step): string {
  switch (step.kind) {
    case "histogram": {
      const { data, channel, over, select, weights, how, aborted } = step;
      const all = [
        ...overOf(over),
        ...channelOf(data, channel),
        ...howOf(how),
        ...selectOf(select, data),
        ...weighing(weights),
      ];
      const call = `engine.histogram(${dataOf(data)}, ${object([...all, ...(aborted ? ["signal"] : [])])})`;
      return aborted ? `${call} // aborted at once` : `await ${call}`;
    }
    case "histograms": {
      const { data, channels, over, how } = step;
      const axes = Array.isArray(over)
        ? [`axes: [${over.map((one) => overOf(one)[0]!.slice(6)).join(", ")}]`]
        : overOf(over as Over);
      return `await engine.histograms(${dataOf(data)}, ${object([...axes, `channels: [${channels}]`, ...howOf(how)])})`;
    }
    case "segments": {
      const { data, channel, over, cut, leave } = step;
      const options = object([
        ...overOf(over),
        ...channelOf(data, channel),
        ...(leave ? ["leave: true"] : []),
      ]);
      return `await engine.segments(${dataOf(data)}, ${JSON.stringify(cut)}, ${options})`;
    }
    case "joint": {
      const { columns, select, weights, prepared } = step;
      const inputs = columns.map(({ data, channel }) =>
        data.channels > 1 ? `{ input: ${dataOf(data)}, channel: ${channel} }` : dataOf(data),
      );
      const axes = columns.map(({ over }) => overOf(over)[0]!.slice(6));
      const options = object([
        `axes: [${axes.join(", ")}]`,
        ...selectOf(select, columns[0]!.data),
        ...weighing(weights),
      ]);
      const call = `await engine.joint([${inputs.join(", ")}], ${options})`;
      return prepared ? `${call} // by a counter that engine.prepare({ columns }) made` : call;
    }
    case "counter":
    case "take":
    case "free": {
      const { type, interleaved, channels, over, how } = step.of;
      const options = object([
        `type: "${type}"`,
        `interleaved: ${interleaved}`,
        `channels: [${channels}]`,
        ...overOf(over),
        ...howOf(how),
      ]);
      const inputs = "inputs" in step ? step.inputs.map(dataOf) : [];
      const given = "way" in step && step.way === "countAll" ? `[${inputs.join(", ")}]` : inputs.join(", ");
      return `await (await counter(${options})).${"way" in step ? step.way : step.kind}(${given})`;
    }
    case "stream": {
      const { data, channel, over, piece } = step;
      const options = object([
        ...overOf(over),
        `type: "${data.type}"`,
        `interleaved: ${data.channels}`,
        ...channelOf(data, channel),
      ]);
      return `await engine.histogram(stream(${dataOf(data)}, ${piece}), ${options})`;
    }
    case "sums": {
      const { table, weights, kind: _, ...options } = step;
      return `await (await table(${JSON.stringify(table)})).sums(weights(${weights}), ${JSON.stringify(options)})`;
    }
    case "extent":
      return `await engine.extent(${dataOf(step.data)})`;
    case "release":
      return `await ${dataOf(step.data)}.free()`;
    case "explain":
      return `engine.explain(${object([`type: "${step.data.type}"`, `samples: ${countedPixels(step.data)}`, ...overOf(step.over), ...howOf(step.how)])})`;
    case "wrong":
      return `await engine.histogram(${dataOf(step.data)}, ${object([...overOf(step.over), `interleaved: ${step.data.channels + 1}`])}).catch(() => {})`;
    case "together":
      return `await Promise.all([\n${step.steps.map((one) => `  ${statement(one).replace(/^await /, "")},`).join("\n")}\n])`;
    case "reopen":
      return "await engine.close()";
  }
}

const object = (fields: readonly string[]): string => `{ ${fields.join(", ")} }`;

function overOf(over: Over): readonly string[] {
  if ("axis" in over) return [`axis: ${axisCode(AXES[over.axis]!())}`];
  return [`bins: ${over.bins}`, `range: ${JSON.stringify(over.range)}`];
}

function howOf(how: How | null): readonly string[] {
  if (how === null) return [];
  return [
    `algorithm: "${how.algorithm}"`,
    ...Object.entries(how.parameters).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ];
}

const channelOf = (data: Data, channel: number): readonly string[] =>
  data.channels > 1 ? [`channel: ${channel}`] : [];

function selectOf(select: Select | null, data: Data): readonly string[] {
  const n = countedPixels(data);
  const { mask = null, where = null, by = null } = select ?? {};
  return [
    ...(mask === null ? [] : [`mask: mask(${n}, ${mask.seed}, "${mask.as}")`]),
    ...(where === null ? [] : [`where: indices(${n}, ${where.length}, ${where.seed})`]),
    ...(by === null
      ? []
      : [`by: { codes: codes(${n}, ${by.groups}, ${by.seed}, "${by.type}"), groups: ${by.groups} }`]),
  ];
}

function weighing(weights: Weighing | null): readonly string[] {
  return weights === null
    ? []
    : [`weights: weights(${weights.seed}, ${weights.bits})`, `squares: ${weights.squares}`];
}

/** Writes few samples out, and names others by their type, number and seed (`samplesOf` of this suite). */
function dataOf(data: Data): string {
  const { type, pixels, channels, seed, form, picture } = data;
  const n = pixels * channels;
  const values = samplesOf(type, n, seed);
  const isShort = n <= WRITTEN && picture === null;
  const array = isShort
    ? `${values.constructor.name}.of(${Array.from(values, (x) => (typeof x === "bigint" ? `${x}n` : Object.is(x, -0) ? "-0" : String(x))).join(", ")})`
    : `samplesOf("${type}", ${n}, ${seed})`;
  const isPlain = channels === 1 && picture === null && type !== "f16";
  const given = isPlain ? array : `{ data: ${array}, ${JSON.stringify(shapeOf(data)).slice(1)}`;
  if (form === "resident") return `(await engine.upload(${given}))`;
  return form === "array" ? given : `${form}(${given})`;
}
