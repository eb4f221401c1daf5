import type { JointColumnPlan } from "@polybin/core";
import type { Fields } from "@polybin/core/backend";
import type { DeviceLowering } from "../lib/lowering.ts";
import type { Values } from "../lib/params.ts";

/** A column of a joint histogram in the form by which kernels find a sample's place. */
export interface DeviceColumn {
  readonly plan: JointColumnPlan;
  readonly lowering: DeviceLowering;
  readonly bins: number;
  readonly flow: boolean;
  /** Samples of a pixel, and the position of the column in it. */
  readonly interleaved: number;
  readonly channel: number;
}

/** The columns of a dispatch: their texts, and the params and constants that these read. */
export interface ColumnTexts {
  readonly parts: readonly string[];
  readonly fields: Fields;
  readonly params: Values;
  readonly constants: Readonly<Record<string, number>>;
}

/** Returns the texts of the columns of a dispatch, and `cellOf`, which adds their parts of a cell. */
export function columnTexts(columns: readonly DeviceColumn[], offset: number): ColumnTexts {
  const all = columns.map(textsOf);
  const terms = columns.map((_, k) => `placeOf${k}(bitsOf${k}(sample)) * STRIDE_${k}`);
  const cellOf = `fn cellOf(sample: u32) -> u32 {\n  return ${terms.join(" + ")} - OFFSET;\n}\n`;
  const merged = <T>(of: (texts: ColumnTexts) => Readonly<Record<string, T>>) =>
    Object.assign({}, ...all.map(of)) as Record<string, T>;
  return {
    parts: [...all.flatMap(({ parts }) => parts), "override OFFSET: u32;\n", cellOf],
    fields: merged(({ fields }) => fields),
    params: merged(({ params }) => params),
    constants: { ...merged(({ constants }) => constants), OFFSET: offset },
  };
}

/** Names that a text declares at its top level. */
const DECLARED = /^(?:@.*?\) )*(?:fn|override|const|alias|struct|var(?:<[^>]*>)?) (\w+)/gm;

const numbered = <T>(of: Readonly<Record<string, T>>, suffix: string): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [`${name}${suffix}`, value]));

/**
 * Returns the texts of one column. They are those of a histogram over one axis, with a number after every name, so that
 * the texts of several columns fit into one module.
 */
function textsOf(column: DeviceColumn, k: number): ColumnTexts {
  const { plan, lowering, interleaved, channel } = column;
  const { parts, lookupParts } = lowering;
  const text = [...parts, lookupParts.global].join("\n");
  const names = [...text.matchAll(DECLARED)].map(([, name]) => name!);
  const own = new RegExp(`(?<![.\\w])(?:${names.join("|")})\\b`, "g");
  const suffix = `_${k}`;
  const renamed = text
    .replace(own, (name) => `${name}${suffix}`)
    .replace(/\bparams\.(\w+)/g, (field) => `${field}${suffix}`)
    .replace(/(?<!\w)lookup\[/g, `lookup[params.lookupAt${suffix} + `)
    .replace("@binding(0)", `@binding(${k})`);
  const head = [
    ...["STRIDE", "BINS", "SHIFT", "INTERLEAVED", "CHANNEL"].map((name) => `override ${name}${suffix}: u32;`),
    `fn bitsOf${k}(sample: u32) -> Bits${suffix} {`,
    `  return bitsAt${suffix}((params.first${suffix} + sample) * INTERLEAVED${suffix} + CHANNEL${suffix});`,
    "}",
  ].join("\n");
  return {
    parts: [`${renamed}\n`, `${head}\n`, `${placeText(column, k)}\n`],
    fields: numbered({ ...lowering.fields, lookupAt: "u32", first: "u32" }, suffix) as Fields,
    params: numbered(lowering.params, suffix),
    constants: numbered(
      {
        ...lowering.constants,
        ...{ STRIDE: plan.stride, SHIFT: plan.shift ?? 0, BINS: column.bins },
        ...{ INTERLEAVED: interleaved, CHANNEL: channel },
      },
      suffix,
    ),
  };
}

/**
 * Returns the text of `placeOf`. Rows of the lowering are the sample's bits or ranks: 0 underflow, 1 … bins, bins + 1
 * overflow, bins + 2 NaN. Codes have the flow behind the bins, and a column without flow has no rank 0.
 */
function placeText({ plan, flow }: DeviceColumn, k: number): string {
  const place = (): string => {
    if (plan.by === "raw") return `found >> SHIFT_${k}`;
    if (plan.by === "rank") return "found";
    if (!flow) return "found - 1u";
    return `select(select(found, found - 1u, found <= BINS_${k}), BINS_${k}, found == 0u)`;
  };
  return [
    `fn placeOf${k}(bits: Bits_${k}) -> u32 {`,
    `  let found = find_${k}(bits);`,
    `  return ${place()};`,
    "}",
  ].join("\n");
}
