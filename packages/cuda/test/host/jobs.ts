import type { NativeControl, NativeJob, NativeSumsJob } from "../../src/native.ts";

export function control(): NativeControl {
  return {
    stop: new Int32Array(new SharedArrayBuffer(4)),
    done: new BigInt64Array(new SharedArrayBuffer(8)),
  };
}

/** Bytes in 256 bins, as the engine has them counted. */
export function countJob(bytes: Uint8Array): NativeJob {
  return {
    source: {
      bytes,
      first: 0,
      pixels: bytes.length,
      pixelBytes: 1,
      width: bytes.length,
      rowPitch: bytes.length,
    },
    wanted: { type: 0, interleaved: 1, channels: [0] },
    lowering: { kind: 0, type: 0, bins: 256, flow: false },
    plan: {
      cells: 256,
      cellsPerPass: 256,
      passes: 1,
      threads: 1024,
      blocks: 264,
      replicas: 32,
      sharedBytes: 32_768,
      wordsPerThread: 0,
      k: 0,
      tag: false,
      periodic: false,
      layout: 2,
      rows: 256,
      rowsPerBlock: 256,
      channelsPerBlock: 1,
      counterBytes: 32_768,
      lookupReplicas: 0,
      inFlight: 4,
    },
    algorithm: "per-lane",
    launchPixels: 2 ** 32 - 1,
    control: control(),
  };
}

/** Four weights over the first row of a table of bytes. */
export function sumsJob(table: number): NativeSumsJob {
  return {
    table,
    documents: 4,
    weights: Int32Array.of(1, 2, 3, 4),
    squares: null,
    list: null,
    launches: [
      {
        algorithm: "weighted-collision",
        plan: {
          type: 1,
          fast: false,
          wide: true,
          counts: true,
          squares: false,
          bins: 3,
          binsPerPass: 3,
          passes: 1,
          threads: 128,
          replicas: 1,
          featuresPerBlock: 1,
          sharedBytes: 36,
          segments: 1,
          segmentDocuments: 32,
          flushDocuments: 0,
          unroll: 4,
          buffer: 0,
        },
        rows: Uint32Array.of(0),
        skip: Uint32Array.of(2 ** 32 - 1),
      },
    ],
    timed: false,
    control: control(),
  };
}
