import type { CellsColumn, Fields, JointColumnPlan } from "@polybin/core/backend";
import type { DeviceLowering, Values } from "../../../kernels/index.ts";

/** A column of a joint histogram in the form by which kernels find a sample's place. */
export interface DeviceColumn extends Pick<CellsColumn, "interleaved" | "channel"> {
  readonly plan: JointColumnPlan;
  readonly lowering: DeviceLowering;
  readonly bins: number;
  readonly flow: boolean;
}

/** Where the texts of columns find their numbers and lookups. */
export interface ColumnsForm {
  /** Whether the plan's numbers are compiled into the kernel. Otherwise they are params, so that many plans share it. */
  readonly compiled: boolean;
  /** Copies of the lookups in workgroup memory. 0: the lookups stay in global memory. */
  readonly lookupReplicas: number;
}

/** The columns of a dispatch: their texts, and the params and constants that these read. */
export interface ColumnTexts {
  readonly parts: readonly string[];
  readonly fields: Fields;
  readonly params: Values;
  readonly constants: Readonly<Record<string, number>>;
}

/**
 * Numbers of a column's plan that its texts read, in addition to those of its lowering. `dropped` are the lower bits of
 * a raw byte that do not matter.
 */
const NUMBERS = ["stride", "dropped", "bins", "interleaved", "channel"] as const;

/**
 * Returns the texts of the columns of a dispatch, with `cellOf`, which returns the sum of their parts of a cell, and
 * `prepareLookups`, which copies lookups to workgroup memory.
 */
export function columnTexts(
  columns: readonly DeviceColumn[],
  offset: number,
  form: ColumnsForm,
): ColumnTexts {
  const { compiled } = form;
  const all = columns.map((column, k) => textsOf(column, k, form));
  const prepare = columns.map((_, k) => `  prepareLookup_${k}(thread, THREADS);\n`);
  const terms = columns.map((_, k) => `placeOf_${k}(bitsOf_${k}(sample)) * ${number("stride", k, compiled)}`);
  const merged = <T>(of: (texts: ColumnTexts) => Readonly<Record<string, T>>) =>
    Object.assign({}, ...all.map(of)) as Record<string, T>;
  return {
    parts: [
      ...all.flatMap(({ parts }) => parts),
      `fn cellOf(sample: u32) -> u32 {\n  return ${terms.join(" + ")} - params.offset;\n}\n`,
      `fn prepareLookups(thread: u32) {\n${prepare.join("")}}\n`,
    ],
    fields: { ...merged(({ fields }) => fields), offset: "u32" },
    params: { ...merged(({ params }) => params), offset },
    constants: merged(({ constants }) => constants),
  };
}

/** Names that a text declares outside of functions. */
const DECLARED = /^(?:@.*?\) )*(?:fn|override|const|alias|struct|var(?:<[^>]*>)?) (\w+)/gm;

/** Returns how a text names a number of a column's plan. */
export function number(name: (typeof NUMBERS)[number], k: number, compiled: boolean): string {
  return compiled ? `${name.toUpperCase()}_${k}` : `params.${name}_${k}`;
}

/**
 * Returns the texts of one column. They are those of a histogram over one axis with a number after every name, so that
 * the texts of several columns fit into one module.
 */
function textsOf(column: DeviceColumn, k: number, { compiled, lookupReplicas }: ColumnsForm): ColumnTexts {
  const { plan, lowering, bins, interleaved, channel } = column;
  const suffix = `_${k}`;
  const { global, shared: copied } = lowering.lookupParts;
  const isShared = copied !== null && lookupReplicas > 0;
  const text = [...lowering.parts, isShared ? copied : global].join("\n");
  const names = [...text.matchAll(DECLARED)].map(([, name]) => name!);
  const renamed = text
    .replace(new RegExp(`(?<![.\\w])(?:${names.join("|")})\\b`, "g"), (name) => `${name}${suffix}`)
    .replace(/\bparams\.\w+/g, (field) => `${field}${suffix}`)
    .replace(/(?<!\w)lookup\[/g, `lookup[params.lookupAt${suffix} + `)
    .replace("@binding(0)", `@binding(${k})`);
  const numbers = { stride: plan.stride, dropped: plan.shift ?? 0, bins, interleaved, channel };
  const constants = compiled ? upper(numbers) : {};
  const of = (name: (typeof NUMBERS)[number]) => number(name, k, compiled);
  const own = [
    ...Object.keys(constants).map((name) => `override ${name}${suffix}: u32;`),
    `fn bitsOf${suffix}(sample: u32) -> Bits${suffix} {`,
    `  return bitsAt${suffix}((params.first${suffix} + sample) * ${of("interleaved")} + ${of("channel")});`,
    "}",
    `fn placeOf${suffix}(bits: Bits${suffix}) -> u32 {`,
    `  let found = find${suffix}(bits);`,
    `  return ${place(column, of)};`,
    "}",
  ];
  const counted = compiled ? [] : NUMBERS.filter((name) => name !== "bins" || !("bins" in lowering.fields));
  const more = Object.fromEntries([...counted, "lookupAt", "first"].map((name) => [name, "u32" as const]));
  const shared = isShared && lowering.sharedConstants;
  return {
    parts: [`${renamed}\n`, `${own.join("\n")}\n`],
    fields: suffixed({ ...lowering.fields, ...more }, suffix),
    params: suffixed({ ...lowering.params, ...(compiled ? {} : numbers) }, suffix),
    constants: suffixed({ ...lowering.constants, ...shared, ...constants }, suffix),
  };
}

/**
 * Returns the place of the row that the lowering found. Rows are a sample's bits, or ranks (0 underflow, 1 … bins, bins +
 * 1 overflow, bins + 2 NaN). Codes have the flow after the bins. A column without flow has no rank 0.
 */
function place({ plan, flow }: DeviceColumn, of: (name: (typeof NUMBERS)[number]) => string): string {
  if (plan.by === "raw") return `found >> ${of("dropped")}`;
  if (plan.by === "rank") return "found";
  if (!flow) return "found - 1u";
  return `select(select(found, found - 1u, found <= ${of("bins")}), ${of("bins")}, found == 0u)`;
}

function suffixed<T>(of: Readonly<Record<string, T>>, suffix: string): Record<string, T> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [`${name}${suffix}`, value]));
}

function upper(of: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name.toUpperCase(), value]));
}
