import type { Profile, ProfiledKernel } from "../src/data/types.ts";

/** A kernel in the notes of a file, as the profiler measured it. */
interface Profiled {
  readonly algorithm: string;
  readonly collisions?: string;
  readonly merge?: string;
  readonly layout?: string;
  readonly k?: number;
  readonly distribution: string;
  readonly n: number;
  readonly terms: Readonly<Record<string, { readonly value: number }>>;
}

const INSTRUCTIONS = "Ins/Byte";

/** Returns the profiled kernels of a file's notes: how many instructions a byte takes, and how fast they were. */
export function profileOf(notes: unknown): Profile {
  const lists = Object.values((notes ?? {}) as Record<string, unknown>).filter((list) => Array.isArray(list));
  const { device } = (notes ?? {}) as { device?: { multiprocessors?: number } };
  return {
    multiprocessors: device?.multiprocessors ?? null,
    kernels: lists.flat().filter(isProfiled).map(kernelOf),
  };
}

const isProfiled = (one: unknown): one is Profiled =>
  typeof one === "object" &&
  one !== null &&
  "algorithm" in one &&
  INSTRUCTIONS in ((one as Profiled).terms ?? {});

function kernelOf({
  algorithm,
  collisions,
  merge,
  layout,
  k,
  distribution,
  n,
  terms,
}: Profiled): ProfiledKernel {
  const value = (term: string): number => terms[term]!.value;
  const details = [k === undefined ? null : `k=${k}`, collisions, merge, layout].filter((detail) => detail);
  return {
    name: [algorithm, ...details].join(", "),
    distribution,
    n,
    instructionsPerByte: value(INSTRUCTIONS),
    bytesRead: value("DRAM bytes read"),
    gbps: value("Throughput GB/s"),
    gigahertz: value("Cycles") / value("Time (ns)"),
  };
}
