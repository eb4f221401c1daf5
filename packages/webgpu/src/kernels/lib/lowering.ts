import type { Plan, SampleType } from "@polybin/core";
import {
  type DeviceLimits,
  type Fields,
  type Lowering,
  limits,
  type Ranks,
  ranksOf,
  SAMPLE_TRAITS,
} from "@polybin/core/backend";
import { own } from "../../platform/index.ts";
import { SHADERS } from "../generated/shaders.ts";
import type { Values } from "./params.ts";

/** A lowering in the form that kernels find a sample's row by. */
export interface DeviceLowering {
  /** The texts that declare samples and `find`. */
  readonly parts: readonly string[];
  /** The lookup's text, where it may be copied into workgroup memory; else none. */
  readonly lookupParts: { readonly global: string; readonly shared: string | null };
  /** Is a row found in a few instructions? */
  readonly short: boolean;
  /** Are rows ranks? Else they are the samples' bits. */
  readonly ranked: boolean;
  /** What `find` is told of the axis, and its values. */
  readonly fields: Fields;
  readonly params: Values;
  /** What `find` is compiled for. */
  readonly constants: Readonly<Record<string, number>>;
  /** What binding 1 holds, where anything. */
  readonly lookup: (() => Uint32Array<ArrayBuffer>) | null;
}

const SAMPLES: Readonly<Record<number, string>> = {
  1: SHADERS["lib/sample-8"],
  2: SHADERS["lib/sample-16"],
  4: SHADERS["lib/sample-32"],
  8: SHADERS["lib/sample-64"],
};
const NO_LOOKUP = { global: SHADERS["lib/lookup-none"], shared: null } as const;
/** Integer axes over integers: the bit that orders them, the keys next to the bins' own, and the first one's, or -1. */
const DIRECT = { flip: "u32", firstKey: "u32", lastKey: "u32", keyBase: "u32" } as const satisfies Fields;
/** Evenly spaced edges over short integers: keys of the bins' first and last sample, and bins a key, in 32 bits. */
const SCALED = {
  bins: "u32",
  flip: "u32",
  firstKey: "u32",
  lastKey: "u32",
  scaleHigh: "u32",
  scaleLow: "u32",
} as const satisfies Fields;
/** A search among thresholds. */
const SEARCH = {
  bins: "u32",
  flip: "u32",
  /** Keys of the first and the last threshold. */
  firstKey: "u32",
  lastKey: "u32",
  thresholds: "u32",
  /** The guess's last cell, and how it is found: from a key, or on a line. */
  lastCell: "u32",
  keyBase: "u32",
  keyShift: "u32",
  origin: "f32",
  inverse: "f32",
  /** The first step of the search, a power of two. */
  firstStep: "u32",
} as const satisfies Fields;
/** The key of the largest f32, and of no infinity. */
const LARGEST_FINITE = 0xff7f_ffff;

/** The text that declares samples of a type. */
export function samplesText(type: SampleType): string {
  return SAMPLES[SAMPLE_TRAITS[type].bytes]!;
}

/** The text that makes keys of them. */
export function keysText(type: SampleType): string {
  if (type === "f64") return SHADERS["lib/keys-f64"];
  return type === "f32" ? SHADERS["lib/keys-f32"] : SHADERS["lib/keys-integer"];
}

/** The bit that orders a type's integers as unsigned ones. */
export function flipOf(type: SampleType): number {
  const { integer, min } = SAMPLE_TRAITS[type];
  return integer ? Math.abs(min) : 0;
}

export function deviceLowering(lowering: Lowering, { raw }: Plan, of: DeviceLimits): DeviceLowering {
  const { type, bins } = lowering;
  const samples = samplesText(type);
  const flip = flipOf(type);
  if (raw) {
    return {
      parts: [samples, SHADERS["lib/find-raw"]],
      lookupParts: NO_LOOKUP,
      short: true,
      ranked: false,
      fields: {},
      params: {},
      constants: {},
      lookup: null,
    };
  }
  if (lowering.kind === "direct") {
    const first = lowering.start + flip;
    return {
      parts: [samples, SHADERS["lib/find-direct"]],
      lookupParts: NO_LOOKUP,
      short: true,
      ranked: true,
      fields: DIRECT,
      params: {
        flip,
        firstKey: Math.max(first - 1, 0),
        lastKey: Math.min(first + bins, limits.U32_MAX),
        keyBase: (first - 1) >>> 0,
      },
      constants: {},
      lookup: null,
    };
  }
  const ranks = ranksOf(lowering, of);
  if (ranks !== null) return ranks.scale === null ? search(ranks, flip) : product(ranks, flip);
  if (lowering.kind !== "table") throw new Error("samples of one constant code are not sent to a device");
  const { table } = lowering;
  return {
    parts: [samples, SHADERS["lib/find-table"]],
    lookupParts: NO_LOOKUP,
    short: true,
    ranked: true,
    fields: {},
    params: {},
    constants: {},
    lookup: () => table.map((code) => (code < bins ? code + 1 : code === bins ? 0 : bins + 1)),
  };
}

/** Guesses of one word lie on a line, which is another for floats. */
function findText(type: SampleType, words: Ranks["words"]): readonly string[] {
  if (words === 2) return [SHADERS["lib/find-ranks-64"]];
  const line = type === "f32" ? SHADERS["lib/line-f32"] : SHADERS["lib/line-integer"];
  return [line, SHADERS["lib/find-ranks-32"]];
}

function search({ type, bins, words, low, high, steps, guess }: Ranks, flip: number): DeviceLowering {
  const isLine = guess.kind === "line";
  const last = low[low.length - 1]!;
  return {
    parts: [samplesText(type), keysText(type), ...findText(type, words)],
    lookupParts:
      words === 2
        ? { global: SHADERS["lib/lookup-64"], shared: SHADERS["lib/lookup-shared-64"] }
        : { global: SHADERS["lib/lookup-32"], shared: SHADERS["lib/lookup-shared-32"] },
    short: false,
    ranked: true,
    fields: SEARCH,
    params: {
      bins,
      flip,
      firstKey: low[0]!,
      // Where the guess is made in floats, they are finite.
      lastKey: type === "f32" ? Math.min(last, LARGEST_FINITE) : last,
      thresholds: low.length,
      lastCell: guess.cells,
      firstStep: Math.floor(2 ** (steps - 1)),
      keyBase: isLine ? 0 : guess.base,
      keyShift: isLine ? 0 : guess.shift,
      origin: isLine ? guess.origin : 0,
      inverse: isLine ? guess.inverse : 0,
    },
    constants: {
      HAS_STARTS: Number(guess.starts !== null),
      HALVINGS: steps <= own.FEW_HALVINGS ? steps : 0,
      ...(words === 1 && { ON_LINE: Number(isLine) }),
    },
    lookup: () => {
      const out = new Uint32Array(low.length * words + (guess.starts?.length ?? 0));
      if (high === null) out.set(low);
      else for (const [i, word] of low.entries()) out.set([word, high[i]!], 2 * i);
      if (guess.starts !== null) out.set(guess.starts, low.length * words);
      return out;
    },
  };
}

function product({ type, low, bins, scale }: Ranks, flip: number): DeviceLowering {
  const half = 16;
  return {
    parts: [samplesText(type), SHADERS["lib/find-scaled"]],
    lookupParts: NO_LOOKUP,
    short: true,
    ranked: true,
    fields: SCALED,
    params: {
      bins,
      flip,
      firstKey: low[0]!,
      // Without a threshold of overflow, all keys are at most the last.
      lastKey: low.length > bins ? low[bins]! - 1 : limits.HALF_VALUES - 1,
      scaleHigh: scale! >>> half,
      scaleLow: scale! & limits.U16_MAX,
    },
    constants: {},
    lookup: null,
  };
}
