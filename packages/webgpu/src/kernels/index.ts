import type { Plan, Slug } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import type { ShaderName } from "../shaders.ts";

/** How an algorithm that counts codes is compiled: its texts behind those that all have, and its plan's numbers. */
interface CodesKernel {
  readonly parts: readonly ShaderName[];
  /** Does it read its data itself, not by `eachWord`? */
  readonly ownReads?: boolean;
  constants(plan: Plan, bytes: boolean): Readonly<Record<string, number>>;
}

const LAYOUTS = ["row", "column", "interleaved"] as const;

const threads = ({ threads: THREADS }: Plan) => ({ THREADS });
const table = ({ threads: THREADS, sharedBytes }: Plan): Readonly<Record<string, number>> => ({
  THREADS,
  TABLE_WORDS: limits.divideCeiling(sharedBytes, limits.WORD_BYTES),
});

/** The algorithms that count codes which another kernel wrote, or bytes as they are. */
export const CODES_KERNELS: Readonly<Partial<Record<Slug, CodesKernel>>> = {
  global: { parts: ["global"], constants: threads },
  "per-block": { parts: ["per-block"], constants: table },
  "per-warp": {
    parts: ["per-warp"],
    constants: (plan) => ({ ...table(plan), WARP: limits.WARP_THREADS }),
  },
  "per-thread": {
    parts: ["per-thread"],
    constants: (plan) => ({ ...table(plan), WORDS_PER_THREAD: plan.wordsPerThread! }),
  },
  "per-thread-64": { parts: ["per-thread-64"], constants: table },
  privatized: {
    parts: ["privatized"],
    constants: (plan) => ({
      ...table(plan),
      WORDS_PER_THREAD: plan.wordsPerThread!,
      PERIODIC: Number(plan.merge === "periodic"),
      LAYOUT: LAYOUTS.indexOf(plan.layout!),
    }),
  },
  "bank-owned": {
    parts: ["bank-owned"],
    ownReads: true,
    constants: (plan, bytes) => ({
      ...threads(plan),
      TILE_WORDS: limits.TILE_WORDS,
      TABLE_WORDS: plan.cellsPerPass,
      BYTES: Number(bytes),
    }),
  },
};

interface TrishKernel {
  parts(bytes: boolean): readonly ShaderName[];
  constants(plan: Plan): Readonly<Record<string, number>>;
  params(plan: Plan): { readonly k: number; readonly loops: number };
}

/** TRISH's Count, of bytes or of codes, and its BlockSum. */
export const TRISH: TrishKernel = {
  parts: (bytes) =>
    bytes ? ["trish", "trish.bytes"] : ["lib/codes-32", "lib/codes", "trish", "trish.codes"],
  constants: (plan) => ({ ...table(plan), BINS: limits.TRISH_BINS }),
  params: ({ k }) => ({ k: k!, loops: limits.trishLoops(k!) }),
};
