import { bitsOfMask, maskOf } from "../joining.ts";
import { Random } from "../random.ts";
import { Lately } from "./lately.ts";
import type { Select, TableOf, Weighing } from "./step.ts";

/** The options that a selection passes to a call, and the pixels that it counts. */
export interface Selected {
  readonly options: object;
  /** The pixels that are counted, in any order; null: all. */
  readonly counted: Uint32Array | null;
  readonly masked: number;
  /** The group of each pixel; null: there are none. */
  readonly groups: ArrayLike<number> | null;
}

const ALL: Selected = { options: {}, counted: null, masked: 0, groups: null };

const kept = new Lately<string, Selected>(64);

/** Makes a selection of `n` pixels. */
export function selected(select: Select | null, n: number): Selected {
  return select === null ? ALL : kept.of(`${n} ${JSON.stringify(select)}`, () => selectedOf(select, n));
}

function selectedOf(select: Select, n: number): Selected {
  const { mask, where, by } = select;
  const bytes = mask === null ? null : maskOf(n, mask.seed);
  const list = where === null ? null : listOf(n, where.length, where.seed);
  const codes = by === null ? null : groupsOf(n, by);
  const all = list ?? Uint32Array.from({ length: n }, (_, i) => i);
  const counted = bytes === null ? all : all.filter((i) => bytes[i] !== 0);
  return {
    options: {
      ...(bytes === null ? {} : { mask: mask!.as === "bits" ? { bits: bitsOfMask(bytes) } : bytes }),
      ...(list === null ? {} : { where: list }),
      ...(codes === null ? {} : { by: { codes, groups: by!.groups } }),
    },
    counted,
    masked: all.length - counted.length,
    groups: codes,
  };
}

function listOf(n: number, length: number, seed: number): Uint32Array {
  const random = new Random(seed);
  return Uint32Array.from({ length: n === 0 ? 0 : length }, () => random.below(n));
}

function groupsOf(n: number, { seed, groups, type }: NonNullable<Select["by"]>) {
  const random = new Random(seed);
  const out = new { u8: Uint8Array, u16: Uint16Array, i32: Int32Array }[type](n);
  for (let i = 0; i < n; i++) out[i] = random.below(groups);
  return out;
}

const weights = new Lately<string, Float32Array | Float64Array>(64);

/** Makes weights whose sums, and those of their squares, are exact in doubles and in a table's integers. */
export function weightsOf(
  { seed, bits }: Pick<Weighing, "seed" | "bits">,
  n: number,
): Float32Array | Float64Array {
  return weights.of(`${seed} ${bits} ${n}`, () => {
    const random = new Random(seed);
    const out = new (bits === 32 ? Float32Array : Float64Array)(n);
    for (let i = 0; i < n; i++) out[i] = (random.below(129) - 64) / 8;
    return out;
  });
}

/** Makes the values of a table, feature by feature. */
export function tableValues({ type, documents, bins, seed }: TableOf): Uint8Array | Uint16Array {
  const random = new Random(seed);
  const out = new (type === "u8" ? Uint8Array : Uint16Array)(bins.length * documents);
  for (const [feature, most] of bins.entries()) {
    for (let i = 0; i < documents; i++) {
      out[feature * documents + i] = random.below(3) === 0 ? 0 : random.below(most);
    }
  }
  return out;
}

/** Returns a list of ascending documents. */
export function documentsOf({ documents }: TableOf, seed: number): Uint32Array {
  const mask = maskOf(documents, seed);
  return Uint32Array.from(mask.keys()).filter((i) => mask[i] !== 0);
}
