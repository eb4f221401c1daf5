import type { Plan, SampleType } from "@polybin/core";
import {
  type DeviceLimits,
  type Lowering,
  limits,
  type Ranks,
  ranksOf,
  SAMPLE_TRAITS,
} from "@polybin/core/backend";
import type { Params } from "./params.ts";
import type { ShaderName } from "./shaders.ts";

/** A lowering in the form that kernels find a sample's row by. */
export interface DeviceLowering {
  /** The texts that declare samples and `find`. */
  readonly parts: readonly ShaderName[];
  /** The lookup's text, where it may be copied into workgroup memory; else none. */
  readonly lookupParts: { readonly global: ShaderName; readonly shared: ShaderName | null };
  /** Is a row found in a few instructions? */
  readonly short: boolean;
  /** Are rows ranks? Else they are the samples' bits. */
  readonly ranked: boolean;
  readonly params: Params;
  /** What `find` is compiled for. */
  readonly constants: Readonly<Record<string, number>>;
  /** What binding 1 holds, where anything. */
  readonly lookup: (() => Uint32Array<ArrayBuffer>) | null;
}

const SAMPLES: Readonly<Record<number, ShaderName>> = {
  1: "lib/sample-8",
  2: "lib/sample-16",
  4: "lib/sample-32",
  8: "lib/sample-64",
};
const NO_LOOKUP = { global: "lib/lookup-none", shared: null } as const;
/** The key of the largest f32, and of no infinity. */
const LARGEST_FINITE = 0xff7f_ffff;

/** The text that declares samples of a type. */
export function samplePart(type: SampleType): ShaderName {
  return SAMPLES[SAMPLE_TRAITS[type].bytes]!;
}

/** The text that makes keys of them. */
export function keysPart(type: SampleType): ShaderName {
  return type === "f64" ? "lib/keys-f64" : type === "f32" ? "lib/keys-f32" : "lib/keys-integer";
}

/** The bit that orders a type's integers as unsigned ones. */
export function flipOf(type: SampleType): number {
  const { integer, min } = SAMPLE_TRAITS[type];
  return integer ? -min : 0;
}

export function deviceLowering(lowering: Lowering, { raw }: Plan, of: DeviceLimits): DeviceLowering {
  const { type, bins } = lowering;
  const samples = samplePart(type);
  const flip = flipOf(type);
  if (raw) {
    return {
      parts: [samples, "lib/find-raw"],
      lookupParts: NO_LOOKUP,
      short: true,
      ranked: false,
      params: {},
      constants: {},
      lookup: null,
    };
  }
  if (lowering.kind === "direct") {
    const first = lowering.start + flip;
    return {
      parts: [samples, "lib/find-direct"],
      lookupParts: NO_LOOKUP,
      short: true,
      ranked: true,
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
    parts: [samples, "lib/find-table"],
    lookupParts: NO_LOOKUP,
    short: true,
    ranked: true,
    params: {},
    constants: {},
    lookup: () => table.map((code) => (code < bins ? code + 1 : code === bins ? 0 : bins + 1)),
  };
}

function search({ type, bins, words, low, high, steps, guess }: Ranks, flip: number): DeviceLowering {
  const isLine = guess.kind === "line";
  const last = low[low.length - 1]!;
  return {
    parts: [samplePart(type), keysPart(type), words === 2 ? "lib/find-ranks-64" : "lib/find-ranks-32"],
    lookupParts:
      words === 2
        ? { global: "lib/lookup-64", shared: "lib/lookup-shared-64" }
        : { global: "lib/lookup-32", shared: "lib/lookup-shared-32" },
    short: false,
    ranked: true,
    params: {
      bins,
      flip,
      firstKey: low[0]!,
      // Where the guess is made in floats, they are finite.
      lastKey: type === "f32" ? Math.min(last, LARGEST_FINITE) : last,
      thresholds: low.length,
      lastCell: guess.cells,
      firstStep: 2 ** (steps - 1),
      ...(isLine
        ? { origin: guess.origin, inverse: guess.inverse }
        : { keyBase: guess.base, keyShift: guess.shift }),
    },
    constants: {
      HAS_STARTS: Number(guess.starts !== null),
      HALVINGS: steps <= limits.WEBGPU_FEW_HALVINGS ? steps : 0,
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
    parts: [samplePart(type), "lib/find-scaled"],
    lookupParts: NO_LOOKUP,
    short: true,
    ranked: true,
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
