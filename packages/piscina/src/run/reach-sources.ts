import { type CellsInputs, type Input, samplesOf } from "@polybin/core/backend";
import type { CellSources } from "../counting/index.ts";
import { inShared } from "../platform/index.ts";
import { geometryOf, type Reached, reach, type Source } from "../task/index.ts";

/** The inputs of a joint count as threads reach them. */
export interface ReachedSources {
  /** The place of each column's input among the sources. */
  readonly inputOf: readonly number[];
  readonly sources: CellSources;
  /** Whether workers can read all sources. */
  readonly isShared: boolean;
}

/** Reaches inputs in memory from the calling thread. @throws ERR_INPUT for files */
export function reachInMemory(inputs: CellsInputs, hasBits: boolean): ReachedSources {
  const sources = allOf(inputs).map((input) => inMemory(input));
  return { ...reachedBy(inputs, sources, inputs.where, hasBits), isShared: false };
}

/**
 * Finds out how workers reach all inputs, and opens files. Call `release` when nothing reads them any more, and `check`
 * after everything was read.
 * @throws ERR_INPUT if a file does not match its description
 */
export async function reachSources(
  inputs: CellsInputs,
  hasBits: boolean,
): Promise<ReachedSources & Pick<Reached, "check" | "release">> {
  const all = allOf(inputs);
  const reached: Reached[] = [];
  const release = async () => {
    for (const one of reached) await one.release();
  };
  try {
    for (const input of all) reached.push(await reach(input));
  } catch (error) {
    await release();
    throw error;
  }
  // Files and memory that is not shared never meet: core counts no columns from files.
  const isShared = reached.every(({ source }) => source !== null);
  const sources = all.map((input, i) => reached[i]!.source ?? inMemory(input));
  const where = inputs.where !== null && isShared ? inShared(inputs.where) : inputs.where;
  return {
    ...reachedBy(inputs, sources, where, hasBits),
    isShared,
    check: async () => {
      for (const one of reached) await one.check();
    },
    release,
  };
}

/** Returns every input once, and the mask last. */
function allOf({ columns, mask }: CellsInputs): readonly Input[] {
  const distinct = [...new Set(columns)];
  return mask === null ? distinct : [...distinct, mask];
}

function reachedBy(
  { columns, mask }: CellsInputs,
  sources: readonly Source[],
  where: Uint32Array | null,
  hasBits: boolean,
): Omit<ReachedSources, "isShared"> {
  const distinct = [...new Set(columns)];
  return {
    inputOf: columns.map((input) => distinct.indexOf(input)),
    sources: {
      inputs: sources.slice(0, distinct.length),
      mask: mask === null ? null : sources.at(-1)!,
      hasBits,
      where,
    },
  };
}

function inMemory(input: Input): Source {
  const samples = samplesOf(input);
  return { kind: "memory", geometry: geometryOf(samples), bytes: samples.bytes };
}
