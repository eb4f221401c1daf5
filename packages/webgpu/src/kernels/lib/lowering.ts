import type { ChannelsPlan, SampleType } from "@polybin/core";
import {
  type Affine,
  affineOf,
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

/** A lowering in the form by which kernels find a sample's row. */
export interface DeviceLowering {
  /** The texts that declare samples and `find`. */
  readonly parts: readonly string[];
  /** The lookup's text for global memory, and the one for workgroup memory if it may be copied there. */
  readonly lookupParts: { readonly global: string; readonly shared: string | null };
  readonly sampleBytes: number;
  /**
   * Whether the integer instructions that find a row limit the throughput of 16-bit samples. Default: false.
   */
  readonly busy?: boolean;
  /** Whether rows are ranks. Otherwise they are the samples' bits. */
  readonly ranked: boolean;
  /** The params of `find` and their values. */
  readonly fields: Fields;
  readonly params: Values;
  /** The constants that `find` is compiled with. */
  readonly constants: Readonly<Record<string, number>>;
  /** More constants if a block has copies of the lookup: the numbers of entries of its tables. */
  readonly sharedConstants?: Readonly<Record<string, number>>;
  /** The content of binding 1, if it has any. */
  readonly lookup: (() => Uint32Array<ArrayBuffer>) | null;
}

const SAMPLES: Readonly<Record<number, string>> = {
  1: SHADERS["lib/sample-8"],
  2: SHADERS["lib/sample-16"],
  4: SHADERS["lib/sample-32"],
  8: SHADERS["lib/sample-64"],
};
const NO_LOOKUP = { global: SHADERS["lib/lookup-none"], shared: null } as const;
/** Integer axes over integers: the keys next to those of the bins, and the key before the first bin's, or -1. */
const DIRECT = { firstKey: "u32", lastKey: "u32", keyBase: "u32" } as const satisfies Fields;
/**
 * Evenly spaced edges over short integers: the limits that keys are clamped to, and a product that may need two words.
 */
const AFFINE = {
  firstKey: "u32",
  lastKey: "u32",
  scaleHigh: "u32",
  scaleLow: "u32",
  offsetHigh: "u32",
  offsetLow: "u32",
} as const satisfies Fields;
/** A search among thresholds. */
const SEARCH = {
  bins: "u32",
  flip: "u32",
  /** The keys between which a place on the line is guessed. For keys of two words these are high words. */
  firstKey: "u32",
  lastKey: "u32",
  thresholds: "u32",
  /** The first word of the starts. */
  startsAt: "u32",
  /** The guess's last cell, and how it is found: from a key, or on a line. */
  lastCell: "u32",
  keyBase: "u32",
  keyShift: "u32",
  origin: "f32",
  inverse: "f32",
  places: "f32",
  half: "f32",
  /** The first step of the search, a power of two. */
  firstStep: "u32",
} as const satisfies Fields;
/** The key of the largest finite f32, and the leading word of the smallest non-negative float's key. */
const LARGEST_FINITE = 0xff7f_ffff;
const FIRST_POSITIVE = 0x8000_0000;

/** Returns the text that declares samples of a type. */
export function samplesText(type: SampleType): string {
  return SAMPLES[SAMPLE_TRAITS[type].bytes]!;
}

/** Returns the text that converts them to keys. */
export function keysText(type: SampleType): string {
  if (type === "f64") return SHADERS["lib/keys-f64"];
  return type === "f32" ? SHADERS["lib/keys-f32"] : SHADERS["lib/keys-integer"];
}

/** Returns the bit that orders a type's integers as unsigned ones. */
export function flipOf(type: SampleType): number {
  const { integer, min } = SAMPLE_TRAITS[type];
  return integer ? Math.abs(min) : 0;
}

/** Returns what most lowerings of a type have: ranks without params and a lookup. */
function plain(type: SampleType): Omit<DeviceLowering, "parts"> {
  const { bytes: sampleBytes } = SAMPLE_TRAITS[type];
  const none = { fields: {}, params: {}, constants: {}, lookup: null };
  return { lookupParts: NO_LOOKUP, sampleBytes, ranked: true, ...none };
}

export function deviceLowering(
  lowering: Lowering,
  { raw }: Pick<ChannelsPlan, "raw">,
  of: DeviceLimits,
): DeviceLowering {
  const { type, bins } = lowering;
  const samples = samplesText(type);
  const flip = flipOf(type);
  if (raw) return { ...plain(type), parts: [samples, SHADERS["lib/find-raw"]], ranked: false };
  if (lowering.kind === "direct") {
    const first = lowering.start + flip;
    const firstKey = Math.max(first - 1, 0);
    const lastKey = Math.min(first + bins, limits.U32_MAX);
    return {
      ...plain(type),
      parts: [samples, SHADERS["lib/find-direct"]],
      fields: DIRECT,
      params: { firstKey, lastKey, keyBase: (first - 1) >>> 0 },
      constants: ends(type, firstKey, lastKey),
    };
  }
  const ranks = ranksOf(lowering, of);
  if (ranks !== null) {
    const affine = affineOf(ranks);
    return affine === null ? search(ranks, flip) : product(type, affine);
  }
  if (lowering.kind !== "table")
    throw new Error("expected the engine to count samples of one constant code itself");
  const { table } = lowering;
  return {
    ...plain(type),
    parts: [samples, SHADERS["lib/find-table"]],
    lookupParts: { global: SHADERS["lib/lookup-table"], shared: SHADERS["lib/lookup-shared-table"] },
    sharedConstants: { ENTRIES: table.length },
    lookup: () => table.map((code) => (code < bins ? code + 1 : code === bins ? 0 : bins + 1)),
  };
}

/** Guesses of one word lie on a line, which floats and integers compute differently. */
function findText(type: SampleType, words: Ranks["words"]): readonly string[] {
  if (words === 2) return [SHADERS["lib/find-ranks-64"]];
  const line = type === "f32" ? SHADERS["lib/line-f32"] : SHADERS["lib/line-integer"];
  return [line, SHADERS["lib/find-ranks-32"]];
}

function search({ type, bins, words, low, high, steps, guess }: Ranks, flip: number): DeviceLowering {
  const isLine = guess.kind === "line";
  const [first, last] = [(high ?? low)[0]!, (high ?? low).at(-1)!];
  // If zero is the first threshold, the threshold is negative zero.
  const isPositive = !SAMPLE_TRAITS[type].integer && first >= FIRST_POSITIVE - 1;
  const cellBits = Math.floor(Math.log2(Math.max(1, guess.cells))) + 1;
  const entries = low.length + limits.RANK_PADDING;
  return {
    ...plain(type),
    parts: [samplesText(type), keysText(type), ...findText(type, words)],
    lookupParts:
      words === 2
        ? { global: SHADERS["lib/lookup-64"], shared: SHADERS["lib/lookup-shared-64"] }
        : { global: SHADERS["lib/lookup-32"], shared: SHADERS["lib/lookup-shared-32"] },
    fields: SEARCH,
    params: {
      bins,
      flip,
      firstKey: isPositive ? Math.max(first, FIRST_POSITIVE) : first,
      // If floats make the guess, they are finite.
      lastKey: type === "f32" ? Math.min(last, LARGEST_FINITE) : last,
      thresholds: low.length,
      startsAt: entries * words,
      lastCell: guess.cells,
      firstStep: Math.floor(2 ** (steps - 1)),
      keyBase: isLine ? 0 : guess.base,
      keyShift: isLine ? 0 : guess.shift,
      origin: isLine ? guess.origin : 0,
      inverse: isLine ? guess.inverse : 0,
      places: guess.cells,
      half: 2 ** cellBits + 1 / 2,
    },
    constants: {
      HAS_STARTS: Number(guess.starts !== null),
      HALVINGS: steps <= own.FEW_HALVINGS ? steps : 0,
      ON_LINE: Number(isLine),
      CELL_BITS: cellBits,
      ...(!SAMPLE_TRAITS[type].integer && { NONNEGATIVE: Number(isPositive) }),
    },
    // Without starts, one entry after the thresholds is enough; starts then have room for one.
    sharedConstants: {
      THRESHOLDS: guess.starts === null ? entries - 1 : entries,
      STARTS: guess.starts?.length ?? 1,
    },
    lookup: () => {
      const out = new Uint32Array(entries * words + (guess.starts?.length ?? 0)).fill(limits.U32_MAX);
      if (high === null) out.set(low);
      else for (const [i, word] of low.entries()) out.set([word, high[i]!], 2 * i);
      if (guess.starts !== null) out.set(guess.starts, entries * words);
      return out;
    },
  };
}

/** Returns the bit that orders integers, and whether samples can have keys beyond the given ones. */
function ends(type: SampleType, firstKey: number, lastKey: number): Readonly<Record<string, number>> {
  const { min, max } = SAMPLE_TRAITS[type];
  return { FLIP: flipOf(type), BELOW: Number(firstKey > 0), ABOVE: Number(lastKey < max - min) };
}

function product(type: SampleType, of: Affine): DeviceLowering {
  const { base, top, scale, offset, shift } = of;
  const half = 16;
  const isShort = shift < 32;
  return {
    ...plain(type),
    parts: [samplesText(type), SHADERS["lib/find-affine"]],
    fields: AFFINE,
    busy: !isShort,
    params: {
      firstKey: base,
      lastKey: top,
      scaleHigh: isShort ? 0 : scale >>> half,
      scaleLow: isShort ? scale : scale & limits.U16_MAX,
      offsetHigh: isShort ? 0 : Math.floor(offset / 2 ** half),
      // Words wrap around: the base's share may be greater than the offset.
      offsetLow: isShort ? (offset - Math.imul(base, scale)) >>> 0 : offset % 2 ** half,
    },
    constants: { SHIFT: isShort ? shift : 0, ...ends(type, base, top) },
  };
}
