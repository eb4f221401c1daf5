import { isPolybinError, openEngine } from "@polybin/core";
import type { Backends } from "./backends.ts";
import type { Tell } from "./lines.ts";
import { Refusal } from "./refusal.ts";

/** Largest picture in bytes: 32 million pixels. */
const MOST_PICTURE_BYTES: number = 2 ** 27;

/** Interleaved samples per pixel, as a canvas returns them: red, green, blue, alpha. */
const CHANNELS = 4;
/** Runs per backend. The first one also compiles. */
const RUNS = 3;

/** A picture that the page sends to be counted. */
export interface PictureRequest {
  readonly width: number;
  readonly height: number;
  readonly backends: readonly string[];
  readonly bytes: number;
}

type Query = Readonly<Record<string, string>>;

/** Reads `?width=…&height=…&backends=cuda,cpu`. @throws Refusal 400, 413. */
export function pictureRequest(query: Query, known: readonly string[]): PictureRequest {
  const width = side(query, "width");
  const height = side(query, "height");
  const bytes = width * height * CHANNELS;
  if (bytes > MOST_PICTURE_BYTES) {
    throw new Refusal(413, "ERR_TOO_LARGE", `expected at most ${MOST_PICTURE_BYTES} bytes of pixels`);
  }
  const backends = (query.backends ?? "").split(",");
  const unknown = backends.find((id) => !known.includes(id));
  if (unknown !== undefined || new Set(backends).size < backends.length) {
    throw new Refusal(400, "ERR_INPUT", `expected some of ${known.join(", ")} for backends, each once`);
  }
  return { width, height, backends, bytes };
}

function side(query: Query, name: string): number {
  const text = query[name] ?? "";
  const value = Number(text);
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new Refusal(400, "ERR_INPUT", `expected a whole number of at least 1 for ${name}`);
  }
  return value;
}

/** Counts the four channels on each backend in sequence, and reports each result or why there is none. */
export async function countPicture(
  { width, height, backends }: PictureRequest,
  pixels: Uint8Array,
  known: Backends,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  for (const id of backends) {
    signal.throwIfAborted();
    tell({ event: "backend", backend: id });
    try {
      await using engine = await openEngine({ backend: await known.load(id) });
      const ms: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        const start = performance.now();
        const found = await engine.histograms(
          { data: pixels, channels: CHANNELS, width, height },
          { signal },
        );
        ms.push(performance.now() - start);
        if (run < RUNS - 1) continue;
        tell({
          event: "result",
          backend: id,
          device: engine.device,
          algorithm: found[0]!.algorithm,
          counts: found.map(({ counts }) => [...counts]),
          ms,
        });
      }
    } catch (error) {
      if (!isPolybinError(error)) throw error;
      tell({ event: "absent", backend: id, code: error.code, message: error.message });
    }
  }
}
