import { checkNames, expected, PolybinError } from "../../base/index.ts";
import {
  checkedWhole,
  type Input,
  nameOfArray,
  SAMPLE_TRAITS,
  type Source,
  sourceOf,
} from "../../input/index.ts";
import { MAX_CELLS, type MaskKind } from "../../plan/index.ts";
import { type Host, readable } from "../host.ts";
import type { Groups, Mask } from "./options.ts";

/** A checked mask. */
export interface OwnMask {
  readonly kind: MaskKind;
  readonly input: Input | null;
}

const NO_MASK: OwnMask = { kind: "none", input: null };

/** Returns a checked mask of samples. @throws ERR_INPUT unless it has one byte or bit per sample */
export function maskOf(host: Host, mask: Mask | null | undefined, samples: number): OwnMask {
  if (mask === undefined || mask === null) return NO_MASK;
  if (isBits(mask)) {
    const source = sourceOf(mask.bits);
    if (source.type !== "u8") throw expected("ERR_INPUT", "mask.bits", "a Uint8Array", mask.bits);
    const bytes = Math.ceil(samples / 8);
    if (source.pixels !== bytes) {
      throw expected("ERR_INPUT", "mask.bits.length", `${bytes}, one bit per sample,`, source.pixels);
    }
    return { kind: "bits", input: source.input };
  }
  const isGiven = typeof mask === "object" && mask !== null && !Array.isArray(mask);
  if (!isGiven) throw expected("ERR_INPUT", "mask", "a Uint8Array, { bits } or a resident", mask);
  const isSource = ArrayBuffer.isView(mask) || ["data", "kind", "free"].some((name) => name in mask);
  if (!isSource) checkNames(mask, ["bits", "data"], { of: "mask" });
  const source = sourceOf(mask);
  if (source.type !== "u8" || source.channels !== 1) {
    const what = "one channel of u8, a byte per sample,";
    throw expected("ERR_INPUT", "mask", what, `${source.channels} channels of ${source.type}`);
  }
  if (source.pixels !== samples) {
    throw expected("ERR_INPUT", "mask.length", `${samples}, one byte per sample,`, source.pixels);
  }
  return { kind: "bytes", input: readable(host, source) };
}

function isBits(mask: Mask): mask is { readonly bits: Uint8Array } {
  return typeof mask === "object" && mask !== null && "bits" in mask && !ArrayBuffer.isView(mask);
}

/** Returns a copy of a list of indices, or null for all samples. @throws ERR_INPUT */
export function whereOf(where: unknown, samples: number): Uint32Array | null {
  if (where === undefined || where === null) return null;
  if (!ArrayBuffer.isView(where) || nameOfArray(where) !== "Uint32Array") {
    throw expected("ERR_INPUT", "where", "a Uint32Array of indices", where);
  }
  const own = Uint32Array.from(where as Uint32Array);
  for (let i = 0; i < own.length; i++) {
    if (own[i]! >= samples) {
      throw expected("ERR_INPUT", `where[${i}]`, `an index from 0 to ${samples - 1}`, own[i]);
    }
  }
  return own;
}

/** The checked codes of groups. */
export interface OwnGroups {
  readonly source: Source;
  readonly groups: number;
}

/** @throws ERR_INPUT unless there is one integer per sample; ERR_LIMIT for too many groups */
export function groupsOf(by: Groups | null | undefined, samples: number): OwnGroups | null {
  if (by === undefined || by === null) return null;
  if (typeof by !== "object" || by === null || !("codes" in by) || !("groups" in by)) {
    throw expected("ERR_INPUT", "by", "{ codes, groups }", by);
  }
  const groups = checkedWhole(by.groups, "by.groups", 1);
  if (groups > MAX_CELLS) throw expected("ERR_LIMIT", "by.groups", `at most ${MAX_CELLS} groups`, groups);
  const source = sourceOf(Array.isArray(by.codes) ? codesIn(by.codes, groups) : by.codes);
  if (source.channels !== 1 || !SAMPLE_TRAITS[source.type].integer) {
    const what = "one channel of integers";
    throw expected("ERR_INPUT", "by.codes", what, `${source.channels} channels of ${source.type}`);
  }
  if (source.pixels !== samples) {
    throw expected("ERR_INPUT", "by.codes.length", `${samples}, one code per sample,`, source.pixels);
  }
  return { source, groups };
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
