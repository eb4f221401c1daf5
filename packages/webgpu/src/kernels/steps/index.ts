import type { SampleType } from "@polybin/core";
import { type Fields, limits, type Partials, SAMPLE_TRAITS, type Struct } from "@polybin/core/backend";
import type { ShaderText } from "../../base/index.ts";
import type { Kernel, TexelType } from "../../platform/index.ts";
import { SHADERS } from "../generated/shaders.ts";
import type { Stage } from "../lib/kernel.ts";
import { type DeviceLowering, flipOf, keysText, samplesText } from "../lib/lowering.ts";
import { COUNT_FIELDS, paramsOf, type Values } from "../lib/params.ts";

// Kernels that run before the counting ones, after them, or independently of them.

/** Rows of bytes. The first begins `left` bytes after the binding's start. */
const GATHER: Struct = paramsOf({ count: "u32", rowSize: "u32", rowPitch: "u32", left: "u32" });

/** A rectangle of texels. */
const PACK: Struct = paramsOf({ count: "u32", rowSize: "u32", left: "u32", top: "u32" });

/** The wanted positions in the pixel, as bits, and the bit that orders integers. */
const EXTENT: Struct = paramsOf({ count: "u32", wanted: "u32", flip: "u32" });

/** Counts of a channel before folding, its bins afterwards, and the first word in the user's binding. */
const FOLD: Struct = paramsOf({ cells: "u32", bins: "u32", to: "u32" });

/** The first count of the cells, their number on each channel, and the bins that they are added up to. */
const REGROUP: Struct = paramsOf({ first: "u32", cells: "u32", bins: "u32" });

/** Position of the channel in its pixel. */
const LOWER: Fields = { channel: "u32" };

/** Returns a kernel with the common bindings. Its name is that of its entry. */
function step(
  entry: string,
  params: Struct,
  parts: readonly ShaderText[],
  constants: Readonly<Record<string, number>>,
): Kernel {
  return { label: entry, params, parts: [SHADERS["lib/bindings"], ...parts], entry, constants };
}

/** Returns the kernel that copies rows of bytes to dense memory. */
export function gather(threads: number): Kernel {
  return step("gather", GATHER, [SHADERS["steps/gather"]], { THREADS: threads });
}

/** Returns the kernel that converts texels to samples. `part` loads a texel. */
export function packTexels(threads: number, texels: TexelType, part: ShaderText): Kernel {
  return { ...step("pack", PACK, [part, SHADERS["steps/pack"]], { THREADS: threads }), texels };
}

/** Returns the kernel that writes the codes of a channel. */
export function lower(threads: number, lowering: DeviceLowering, interleaved: number): Kernel {
  const { fields, parts, lookupParts, constants, ranked } = lowering;
  const texts = [...parts, lookupParts.global, SHADERS["steps/lower"]];
  return step("lower", paramsOf(COUNT_FIELDS, fields, LOWER), texts, {
    ...constants,
    ...{ THREADS: threads, RANKED: Number(ranked), INTERLEAVED: interleaved },
  });
}

/** Returns the kernels that find the smallest and the largest key: one kernel per word of a key. */
export function extent(threads: number, type: SampleType, interleaved: number): readonly Kernel[] {
  const words = SAMPLE_TRAITS[type].bytes === 8 ? 2 : 1;
  const leading = words === 2 ? SHADERS["lib/leading-64"] : SHADERS["lib/leading-32"];
  const texts = [samplesText(type), keysText(type), leading, SHADERS["steps/extent"]];
  const constants = { THREADS: threads, INTERLEAVED: interleaved };
  return Array.from({ length: words }, (_, TRAILING) =>
    step("extent", EXTENT, texts, { ...constants, TRAILING }),
  );
}

/** Returns the params of `extent` for samples of a type. */
export function extentParams(count: number, channels: readonly number[], type: SampleType): Values {
  return { count, wanted: channels.reduce((bits, channel) => bits + 2 ** channel, 0), flip: flipOf(type) };
}

/** Returns the kernel that folds counts of cells into a user's buffer, with the lowering's table if there is one. */
export function fold(threads: number, table: boolean, add: boolean): Kernel {
  const constants = { THREADS: threads, TABLE: Number(table), ADD: Number(add) };
  return step("fold", FOLD, [SHADERS["steps/fold"]], constants);
}

/** Returns the kernel that adds counts up by their codes on another axis. */
export function regroup(threads: number): Kernel {
  return step("regroup", REGROUP, [SHADERS["steps/regroup"]], { THREADS: threads });
}

/** Returns the dispatch that adds partial tables to the counts. */
export function merge({ threads, blocks }: Partials): Stage {
  return {
    label: "merge",
    parts: [SHADERS["steps/merge"]],
    ownReads: true,
    entry: "merge",
    constants: { THREADS: threads, CELLS: limits.MERGE_CELLS },
    grid: [blocks],
  };
}

/** Returns the texts by which the blocks of a kernel that reads codes add up. */
export function sumTexts(partials: Partials | undefined): readonly ShaderText[] {
  return [partials === undefined ? SHADERS["lib/sum-atomic"] : SHADERS["lib/sum-tables"]];
}

/**
 * Returns the texts that precede a counting kernel's: its bindings, and the reading of codes unless it does that
 * itself.
 */
export function codesTexts(reads: "bytes" | "words" | "own"): readonly string[] {
  if (reads === "own") return [SHADERS["lib/bindings"]];
  const one = reads === "bytes" ? SHADERS["lib/codes-8"] : SHADERS["lib/codes-32"];
  return [SHADERS["lib/bindings"], one, SHADERS["lib/codes"]];
}
