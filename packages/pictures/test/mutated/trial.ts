import { isPolybinError } from "@polybin/core";
import { decode } from "../../src/decode.ts";
import type { Picture } from "../../src/picture.ts";
import { corpus, FORMATS, type Format, type Sample } from "./corpus.ts";
import { DAMAGES } from "./damages.ts";
import { judge, type Verdict } from "./judges.ts";
import { Random } from "./random.ts";

/** A damaged picture and polybin's verdict on it. */
export interface Case {
  readonly sample: Sample;
  readonly damage: string;
  readonly seed: number;
  readonly bytes: Uint8Array;
  /** Whether its bytes differ from those of the undamaged picture. */
  readonly differs: boolean;
  /** The picture that is counted, or the message with which it is refused. */
  readonly ours: Picture | string;
}

/** Returns polybin's picture of these bytes, or the message with which it is refused. Other errors are thrown. */
export async function ours(bytes: Uint8Array): Promise<Picture | string> {
  try {
    return await decode(bytes);
  } catch (error) {
    if (isPolybinError(error) && ["ERR_INPUT", "ERR_UNSUPPORTED", "ERR_LIMIT"].includes(error.code)) {
      return error.message;
    }
    throw error;
  }
}

/**
 * Yields `count` damaged pictures of each format. Variants and damages alternate, and the seed determines the
 * positions.
 */
export async function* cases(perFormat: number, formats: readonly Format[] = FORMATS): AsyncGenerator<Case> {
  const samples = await corpus();
  const damages = Object.entries(DAMAGES);
  for (const format of formats) {
    const own = samples.filter((sample) => sample.format === format);
    for (let i = 0; i < perFormat; i++) {
      const seed = 1000 * FORMATS.indexOf(format) * perFormat + i;
      const sample = own[i % own.length]!;
      const [damage, apply] = damages[Math.floor(i / own.length) % damages.length]!;
      const bytes = apply(sample.bytes, new Random(seed), format);
      const differs = Buffer.compare(bytes, sample.bytes) !== 0;
      yield { sample, damage, seed, bytes, differs, ours: await ours(bytes) };
    }
  }
}

/** The other decoders that call this picture damaged but not the undamaged one. */
export class Judges {
  readonly #undamaged = new Map<Sample, ReadonlyMap<string, Verdict>>();

  readonly #programs: boolean;

  /** @param programs whether to ask installed programs, too */
  constructor(programs: boolean) {
    this.#programs = programs;
  }

  async complaints(bytes: Uint8Array, sample: Sample): Promise<ReadonlyMap<string, string>> {
    let before = this.#undamaged.get(sample);
    if (before === undefined) {
      before = await judge(sample.bytes, sample.format, this.#programs);
      this.#undamaged.set(sample, before);
    }
    const found = new Map<string, string>();
    for (const [name, verdict] of await judge(bytes, sample.format, this.#programs)) {
      // A decoder that refuses the undamaged picture says nothing about the damage.
      if (verdict !== null && before.get(name) === null) found.set(name, verdict);
    }
    return found;
  }
}
