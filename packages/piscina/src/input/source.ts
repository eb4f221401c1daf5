import { type Input, SAMPLE_TRAITS, samplesOf, withFile } from "@polybin/core/backend";
import { type Visible, visibleOf, WORKER_CHUNK_BYTES } from "../platform/index.ts";

/** The layout of samples: `height` rows of `width` pixels, `rowPitch` bytes apart. Dense samples are one row. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly rowPitch: number;
  /** Bytes per pixel. */
  readonly pixelBytes: number;
}

/** Where a thread finds samples. */
export type Source = { readonly geometry: Geometry } & (
  | {
      readonly kind: "memory";
      /** Shared memory, unless only the calling thread reads it. */
      readonly bytes: Uint8Array;
      /** The same memory for WebAssembly. Null: it cannot see it, or a copy costs less than an instance over it. */
      readonly visible: Visible | null;
    }
  | {
      readonly kind: "file";
      /** The path for messages. */
      readonly path: string;
      readonly fd: number;
      /** Bytes before the first sample. */
      readonly offset: number;
    }
);

/** Returns consecutive pixels as one row. */
export function rowOf(pixels: number, pixelBytes: number): Geometry {
  return { width: pixels, height: 1, rowPitch: pixels * pixelBytes, pixelBytes };
}

/** Returns samples in memory as the calling thread finds them. @throws ERR_UNSUPPORTED for files */
export function sourceOf(input: Input): Source {
  const { type, channels, width, height, rowPitch, pixels, dense, bytes } = samplesOf(input);
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const geometry = dense ? rowOf(pixels, pixelBytes) : { width, height, rowPitch, pixelBytes };
  const visible = bytes.length > WORKER_CHUNK_BYTES ? visibleOf(bytes.buffer) : null;
  return { kind: "memory", geometry, bytes, visible };
}

/**
 * Opens files among inputs, and closes them when nothing reads them any more. `use` receives a source for each input, and
 * whether workers can read all of them.
 * @throws ERR_INPUT if a file does not match its description, before or after it was read
 */
export async function withSources<T>(
  inputs: readonly Input[],
  use: (sources: readonly Source[], isShared: boolean) => Promise<T>,
): Promise<T> {
  const next = async (sources: readonly Source[]): Promise<T> => {
    const input = inputs[sources.length];
    if (input === undefined) return use(sources, sources.every(isReadable));
    if (input.kind !== "file") return next([...sources, sourceOf(input)]);
    const { path, type, channels, offset, pixels } = input.file;
    const geometry = rowOf(pixels, SAMPLE_TRAITS[type].bytes * channels);
    return withFile(input, ({ fd }) => next([...sources, { kind: "file", geometry, path, fd, offset }]));
  };
  return next([]);
}

function isReadable(source: Source): boolean {
  return source.kind === "file" || source.bytes.buffer instanceof SharedArrayBuffer;
}
