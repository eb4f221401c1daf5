import type { Buffer, Device } from "@luma.gl/core";
import { type CompiledGPUCommandGraph, GPUCommandGraph, GPUHistogram } from "@luma.gl/gpgpu/gpu-core";
import { webgpuAdapter } from "@luma.gl/webgpu";
import { DAWN_FLAGS, USAGE } from "../ceilings/dawn.ts";
import type { Truth } from "../data/tile.ts";
import type { Contest, Head } from "../runner/contest.ts";
import { counting, kernelMs, type Result, totalMs } from "../runner/count.ts";

const STAMPS = 2;
const STAMP_BYTES = 8;

/** Samples in a buffer of luma.gl's device, and their bins. */
export interface LumaJob {
  readonly type: "u32" | "f32";
  readonly data: Uint32Array | Float32Array;
  readonly bins: number;
  /** Range of the counted values, both ends included. */
  readonly domain: readonly [number, number];
}

/** Makes a luma.gl device on Dawn with all limits of the adapter. Its `handle` is a GPUDevice that others may use. */
export async function lumaDevice(): Promise<Device & { readonly handle: GPUDevice }> {
  const { create, globals } = await import("webgpu");
  // luma.gl expects a browser's WebGPU.
  Object.assign(globalThis, globals);
  const gpu = create([...DAWN_FLAGS]);
  Object.defineProperty(globalThis.navigator, "gpu", { value: gpu, configurable: true });
  const device = await webgpuAdapter.create({ featureLevel: "max", createCanvasContext: false } as object);
  return device as Device & { readonly handle: GPUDevice };
}

/** Counts one buffer repeatedly with luma.gl's GPUHistogram. */
export class LumaHistogram {
  readonly #device: Awaited<ReturnType<typeof lumaDevice>>;
  readonly #bins: number;
  readonly #input: Buffer;
  readonly #output: Buffer;
  readonly #compiled: CompiledGPUCommandGraph<void>;
  readonly #queries: GPUQuerySet;
  readonly #stamps: GPUBuffer;
  readonly #readback: GPUBuffer;

  constructor(device: Awaited<ReturnType<typeof lumaDevice>>, { type, data, bins, domain }: LumaJob) {
    this.#device = device;
    this.#bins = bins;
    const { byteLength, length } = data;
    this.#input = device.createBuffer({ byteLength, usage: USAGE.STORAGE | USAGE.COPY_DST });
    write(device.handle, this.#input, data);
    const size = bins * Uint32Array.BYTES_PER_ELEMENT;
    this.#output = device.createBuffer({
      byteLength: size,
      usage: USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST,
    });
    const graph = new GPUCommandGraph(device);
    const format = type === "u32" ? "uint32" : "float32";
    const input = graph.importBuffer({ id: "in", byteLength, usage: USAGE.STORAGE }, this.#input);
    const output = graph.importBuffer({ id: "out", byteLength: size, usage: USAGE.STORAGE }, this.#output);
    new GPUHistogram({
      input: graph.createDataView(input, { format, length }),
      output: graph.createDataView(output, { format: "uint32", length: bins }),
      domain,
    }).addToGraph(graph);
    this.#compiled = graph.compile();
    const { handle } = device;
    this.#queries = handle.createQuerySet({ type: "timestamp", count: 2 * STAMPS });
    this.#stamps = handle.createBuffer({
      size: 2 * STAMPS * STAMP_BYTES,
      usage: USAGE.QUERY_RESOLVE | USAGE.COPY_SRC,
    });
    this.#readback = handle.createBuffer({
      size: 2 * STAMPS * STAMP_BYTES + size,
      usage: USAGE.MAP_READ | USAGE.COPY_DST,
    });
  }

  /** Counts once. The time runs from the end of an empty pass before to the start of an empty pass after. */
  async count(): Promise<{
    readonly counts: Uint32Array;
    readonly kernelMs: number;
    readonly totalMs: number;
  }> {
    const start = performance.now();
    const encoder = this.#device.createCommandEncoder();
    const raw = (encoder as unknown as { readonly handle: GPUCommandEncoder }).handle;
    this.#mark(raw, 0);
    this.#compiled.encode(encoder, {} as never);
    this.#mark(raw, STAMPS);
    const stampBytes = 2 * STAMPS * STAMP_BYTES;
    raw.resolveQuerySet(this.#queries, 0, 2 * STAMPS, this.#stamps, 0);
    raw.copyBufferToBuffer(this.#stamps, 0, this.#readback, 0, stampBytes);
    const output = (this.#output as unknown as { readonly handle: GPUBuffer }).handle;
    raw.copyBufferToBuffer(output, 0, this.#readback, stampBytes, this.#bins * Uint32Array.BYTES_PER_ELEMENT);
    this.#device.submit(encoder.finish());
    await this.#readback.mapAsync(USAGE.MAP_READ);
    const range = this.#readback.getMappedRange();
    const stamps = new BigUint64Array(range, 0, 2 * STAMPS);
    const kernelMs = Number(stamps[STAMPS]! - stamps[1]!) / 1e6;
    const counts = new Uint32Array(range, stampBytes).slice();
    this.#readback.unmap();
    return { counts, kernelMs, totalMs: performance.now() - start };
  }

  #mark(encoder: GPUCommandEncoder, first: number): void {
    encoder
      .beginComputePass({
        timestampWrites: {
          querySet: this.#queries,
          beginningOfPassWriteIndex: first,
          endOfPassWriteIndex: first + 1,
        },
      })
      .end();
  }

  free(): void {
    this.#compiled.destroy();
    this.#input.destroy();
    this.#output.destroy();
    for (const one of [this.#queries, this.#stamps, this.#readback]) one.destroy();
  }
}

/** Makes a contest of luma.gl's counting. */
export function lumaContest(
  theirs: LumaHistogram,
  row: Omit<Head, "algorithm" | "residence"> & { readonly bins: number },
  of: Pick<Contest, "bytes" | "ceiling"> & { truth(): Promise<Truth> },
): Contest<readonly Result[]> {
  return counting({
    row: { ...row, backend: null, algorithm: null, peer: "luma.gl", residence: "resident" },
    ...of,
    ...{ time: kernelMs, callTime: totalMs },
    call: async () => {
      const { counts, ...timings } = await theirs.count();
      return [{ counts, bins: row.bins, underflow: 0, overflow: 0, nan: 0, timings }];
    },
  });
}

/** Writes a buffer in parts, because Dawn copies each part into its own memory first. */
function write(device: GPUDevice, to: Buffer, data: Uint32Array | Float32Array): void {
  const { handle } = to as unknown as { readonly handle: GPUBuffer };
  const part = 2 ** 24;
  for (let first = 0; first < data.length; first += part) {
    const size = Math.min(part, data.length - first);
    device.queue.writeBuffer(
      handle,
      first * data.BYTES_PER_ELEMENT,
      data.buffer as ArrayBuffer,
      data.byteOffset + first * data.BYTES_PER_ELEMENT,
      size * data.BYTES_PER_ELEMENT,
    );
  }
}
