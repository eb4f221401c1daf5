import type { ReadyChunk } from "../../memory/index.ts";

/** The chunks of an input. A byte of a mask of bits holds eight samples. */
export interface Stream {
  readonly chunks: AsyncGenerator<ReadyChunk>;
  readonly samplesPerPixel: number;
}

/** Where the samples of a part begin in a chunk. */
export interface Place {
  readonly chunk: ReadyChunk;
  readonly first: number;
}

/** Consecutive samples that lie in one chunk of every input. */
export interface Part {
  /** The first sample, and the number of samples. */
  readonly begin: number;
  readonly pixels: number;
  readonly last: boolean;
  /** The place of each input's samples. */
  readonly places: readonly Place[];
  /** Chunks that no earlier part had, whose own dispatches come first. */
  readonly fresh: readonly ReadyChunk[];
}

/**
 * Yields the parts of several inputs with the same number of samples. Their chunks may differ in length:
 *
 *   input 0   |      chunk      |   chunk   |
 *   input 1   |   chunk   |      chunk      |
 *   parts     |           |     |           |
 */
export async function* partsOf(streams: readonly Stream[], samples: number): AsyncGenerator<Part> {
  const at = streams.map(() => ({ chunk: null as ReadyChunk | null, begin: 0, end: 0 }));
  for (let begin = 0; begin < samples; ) {
    const fresh: ReadyChunk[] = [];
    for (const [i, { chunks, samplesPerPixel }] of streams.entries()) {
      const now = at[i]!;
      while (now.end <= begin) {
        const { value, done } = await chunks.next();
        if (done === true) throw new Error("expected inputs with the same number of samples");
        now.chunk = value;
        now.begin = now.end;
        now.end += value.pixels * samplesPerPixel;
        fresh.push(value);
      }
    }
    const end = Math.min(samples, ...at.map((now) => now.end));
    const places = at.map((now) => ({ chunk: now.chunk!, first: begin - now.begin }));
    yield { begin, pixels: end - begin, last: end === samples, places, fresh };
    begin = end;
  }
}
