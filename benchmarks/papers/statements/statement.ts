import type { Slug, WeightedSlug } from "@polybin/core";
import type { AlgorithmParameters, SumsParameters } from "@polybin/core/backend";
import type { PaperId } from "../model.ts";

type AnySlug = Slug | WeightedSlug;

/** The backends that run the papers' methods, with their names on the page. */
export const RUNS = { cuda: "CUDA", webgpu: "WebGPU", workers: "workers" } as const;
export type Runs = keyof typeof RUNS;

export const KINDS = ["method", "variant", "parameter", "claim"] as const;

/** A statement of a paper, with its place in the code and in the report. */
export interface Statement {
  /** Section, figure or table. */
  readonly where: string;
  /** A `claim` states a quantity or a comparison. The other kinds describe a method, a variant of one, or a parameter. */
  readonly kind: (typeof KINDS)[number];
  /** The statement in plain words. Its numbers are those of the paper, as the paper prints them. */
  readonly says: string;
  readonly code: InCode | Absent;
  readonly report: InReport | Absent;
}

/** The place in the code: algorithms, or constants, or files. */
export interface InCode {
  readonly slug?: AnySlug | readonly AnySlug[];
  /** Values of each slug's parameters that select it. */
  readonly set?: AlgorithmParameters & SumsParameters;
  /** Constants of core, with the values that the code must have. */
  readonly constants?: Readonly<Record<string, number>>;
  /** `PATH#NAME`, from the repository's root. The file must contain the name. */
  readonly at?: readonly string[];
  /** Differences from the paper, and their reasons: those of every backend, or of each. */
  readonly differs?: string | Partial<Record<Runs, string>>;
}

/** The place in the report: a figure, and the claims or panels that show the statement. */
export interface InReport {
  /** Such as `xu-table-7`. */
  readonly figure: string;
  /** Claims of the figure's rules, by id. */
  readonly claims?: readonly string[];
  readonly panels?: readonly string[];
}

/** Why a statement has no place. Only the paper or the hardware can give such a reason. */
export interface Absent {
  readonly reason: "paper" | "hardware";
  readonly because: string;
}

/** The statements of one paper. */
export interface Account {
  readonly id: PaperId;
  /** The name in headings, and in the sources of core's algorithms. */
  readonly paper: string;
  readonly statements: readonly Statement[];
}

export function slugsOf({ slug = [] }: InCode): readonly AnySlug[] {
  return typeof slug === "string" ? [slug] : slug;
}

export function isAbsent(place: InCode | InReport | Absent): place is Absent {
  return "because" in place;
}
