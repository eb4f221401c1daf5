import { checkNames, expected, PolybinError } from "../../../base/index.ts";
import {
  checkedWhole,
  fixedBytes,
  nameOfArray,
  SAMPLE_TRAITS,
  type Source,
  sourceOf,
} from "../../../input/index.ts";
import { MAX_CELLS, type MaskKind } from "../../../plan/index.ts";
import type { OpenBackend } from "../../opened/open-backend.ts";
import type { Groups, Mask } from "../../options/selection-options.ts";
import { type Described, describedInput } from "./described.ts";
import { type OpenInput, openInput, openNow } from "./inputs.ts";

/** A checked mask of a call. */
export interface OpenMask {
  readonly input: OpenInput;
  readonly kind: Exclude<MaskKind, "none">;
}

const MASKS = "a Uint8Array, { bits }, a resident, a stream or a file";

/** Opens a mask. Its length is checked later. @throws ERR_INPUT unless it has one byte or bit per sample */
export async function openMask(
  opened: OpenBackend,
  mask: Mask | null | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenMask | null> {
  const known = maskOfBits(mask);
  if (known !== undefined) return known;
  const input = await openInput(opened, describedMask(mask!), "mask", signal);
  try {
    return checkedMask(input);
  } catch (error) {
    await input.end();
    throw error;
  }
}

/** Opens a mask without waiting. @throws as `openMask`; ERR_UNSUPPORTED for a stream or a file */
export function openMaskNow(opened: OpenBackend, mask: Mask | null | undefined): OpenMask | null {
  const known = maskOfBits(mask);
  return known !== undefined ? known : checkedMask(openNow(opened, describedMask(mask!), "mask"));
}

/** Returns no mask, or one of bits. Undefined: it is another one. @throws ERR_INPUT */
function maskOfBits(mask: Mask | null | undefined): OpenMask | null | undefined {
  if (mask === undefined || mask === null) return null;
  if (typeof mask !== "object" || Array.isArray(mask)) throw expected("ERR_INPUT", "mask", MASKS, mask);
  return isBits(mask) ? { kind: "bits", input: bitsOf(mask.bits) } : undefined;
}

/** @throws ERR_INPUT for an object that is no input */
function describedMask(mask: Mask): Described {
  const isKnown =
    ArrayBuffer.isView(mask) ||
    ["data", "kind", "free", "input"].some((name) => name in mask) ||
    Symbol.asyncIterator in mask ||
    Object.getPrototypeOf(mask) !== Object.prototype;
  if (!isKnown) checkNames(mask, ["bits", "data"], { of: "mask" });
  return describedInput(mask as Described, "mask");
}

/** @throws ERR_INPUT unless there is one channel of u8 */
function checkedMask(input: OpenInput): OpenMask {
  if (input.type === "u8" && input.channels === 1) return { kind: "bytes", input };
  const what = "one channel of u8, a byte per sample,";
  throw expected("ERR_INPUT", "mask", what, `${input.channels} channels of ${input.type}`);
}

function isBits(mask: object): mask is { readonly bits: Uint8Array } {
  return "bits" in mask && !ArrayBuffer.isView(mask);
}

/** A mask of bits. Next to a stream, its parts are bytes, since they do not begin with a byte's first bit. */
function bitsOf(bits: Uint8Array): OpenInput {
  const whole = sourceOf(bits);
  if (whole.type !== "u8") throw expected("ERR_INPUT", "mask.bits", "a Uint8Array", bits);
  let taken = 0;
  return {
    name: "mask.bits",
    type: "u8",
    channels: 1,
    total: null,
    whole,
    isRead: false,
    ready: async () => bits.length * BITS - taken,
    take(pixels) {
      const bytes = Uint8Array.from({ length: pixels }, (_, i) => {
        const at = taken + i;
        return (bits[Math.floor(at / BITS)]! >> (at % BITS)) & 1;
      });
      taken += pixels;
      return sourceOf(bytes);
    },
    end: async () => {},
  };
}

const BITS = 8;

/** Checks the length of a mask against the number of samples. @throws ERR_INPUT */
export function checkMask({ kind, input }: OpenMask, samples: number): void {
  if (kind === "bits") {
    const bytes = Math.ceil(samples / BITS);
    const { pixels } = input.whole!;
    if (pixels === bytes) return;
    throw expected("ERR_INPUT", "mask.bits.length", `${bytes}, one bit per sample,`, pixels);
  }
  checkLength(input, "mask", "one byte per sample", samples);
}

/** @throws ERR_INPUT if an input is known to have another number of samples */
export function checkLength(
  { total }: Pick<OpenInput, "total">,
  name: string,
  each: string,
  samples: number,
): void {
  if (total === null || total === samples) return;
  throw expected("ERR_INPUT", `${name}.length`, `${samples}, ${each},`, total);
}

/** Returns a copy of a list of indices, or null for all samples. @throws ERR_INPUT */
export function whereOf(where: unknown): Uint32Array | null {
  if (where === undefined || where === null) return null;
  if (!ArrayBuffer.isView(where) || nameOfArray(where) !== "Uint32Array") {
    throw expected("ERR_INPUT", "where", "a Uint32Array of indices", where);
  }
  fixedBytes(where, "where");
  return Uint32Array.from(where as Uint32Array);
}

/** @throws ERR_INPUT for an index beyond the samples */
export function checkWhere(where: Uint32Array, samples: number): void {
  const beyond = where.findIndex((index) => index >= samples);
  if (beyond < 0) return;
  throw expected("ERR_INPUT", `where[${beyond}]`, `an index from 0 to ${samples - 1}`, where[beyond]);
}

/** The checked groups of a call. */
export interface OpenGroups {
  readonly input: OpenInput;
  readonly groups: number;
}

/** @throws ERR_INPUT unless there is one integer per sample; ERR_LIMIT for too many groups */
export async function openGroups(
  opened: OpenBackend,
  by: Groups | null | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenGroups | null> {
  if (by === undefined || by === null) return null;
  if (typeof by !== "object" || by === null || !("codes" in by) || !("groups" in by)) {
    throw expected("ERR_INPUT", "by", "{ codes, groups }", by);
  }
  const { described, groups } = describedGroups(by);
  const input = await openInput(opened, described, "by.codes", signal);
  try {
    return checkedCodes(input, groups);
  } catch (error) {
    await input.end();
    throw error;
  }
}

/** Opens groups without waiting. @throws as `openGroups`; ERR_UNSUPPORTED for a stream or a file */
export function openGroupsNow(opened: OpenBackend, by: Groups): OpenGroups {
  const { described, groups } = describedGroups(by);
  return checkedCodes(openNow(opened, described, "by.codes"), groups);
}

function describedGroups(by: Groups): { readonly described: Described; readonly groups: number } {
  const groups = checkedGroups(by.groups);
  const codes = Array.isArray(by.codes) ? codesIn(by.codes, groups) : by.codes;
  return { described: describedInput(codes, "by.codes"), groups };
}

function checkedCodes(input: OpenInput, groups: number): OpenGroups {
  if (input.channels === 1 && SAMPLE_TRAITS[input.type].integer) return { input, groups };
  const what = "one channel of integers";
  throw expected("ERR_INPUT", "by.codes", what, `${input.channels} channels of ${input.type}`);
}

/** @throws ERR_INPUT, ERR_LIMIT */
export function checkedGroups(given: unknown): number {
  const groups = checkedWhole(given as number, "by.groups", 1);
  if (groups > MAX_CELLS) throw expected("ERR_LIMIT", "by.groups", `at most ${MAX_CELLS} groups`, groups);
  return groups;
}

/** Returns the codes of a plain array. @throws ERR_INPUT for a value that is no group */
function codesIn(codes: readonly unknown[], groups: number): Uint32Array {
  return Uint32Array.from(codes, (code, i) => {
    if (Number.isInteger(code) && (code as number) >= 0 && (code as number) < groups) return code as number;
    throw expected("ERR_INPUT", `by.codes[${i}]`, `a whole number from 0 to ${groups - 1}`, code);
  });
}

/** @param outside the cells of codes outside the groups @throws ERR_INPUT unless they are empty */
export function checkGrouped(outside: Float64Array, groups: number): void {
  const samples = outside.reduce((sum, count) => sum + count, 0);
  if (samples === 0) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected codes from 0 to ${groups - 1} in by.codes but ${samples} samples have others; nothing was counted`,
  );
}

/** The part of a call that is counted at a time. */
export interface Piece {
  /** Number of its first pixel. */
  readonly first: number;
  readonly pixels: number;
  /** Whether it is the whole of every input. */
  readonly isWhole: boolean;
  /** Returns the part of an input. */
  readonly of: (input: OpenInput) => Source;
}

/** Returns the indices of a list in a piece, from the piece's first pixel on. @param sorted the list in order */
export function whereIn(where: Uint32Array, { first, pixels, isWhole }: Piece): Uint32Array {
  if (isWhole) return where;
  const begin = lowerBound(where, first);
  return where.slice(begin, lowerBound(where, first + pixels)).map((index) => index - first);
}

function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
