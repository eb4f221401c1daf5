import { type Dawn, openDawn, USAGE } from "../ceilings/dawn.ts";
import { type Caller, callAgain } from "../runner/calls.ts";

const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = USAGE;
/** Size in bytes of the counts of 256 bins. */
const BYTES = 1024;
/** A kernel that does almost nothing. */
const CODE = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { out[i] += 1; }`;

/** The floor of any call through Dawn: a dispatch, a copy of a result's size, and the wait until it is mapped. */
export class DawnFloor {
  readonly #gpu: GPU;
  readonly #device: GPUDevice;
  readonly #pipeline: GPUComputePipeline;
  readonly #bindings: GPUBindGroup;
  readonly #counts: GPUBuffer;
  readonly #home: GPUBuffer;
  /** Number of dispatches that ran, according to the last readback. */
  #ran = 0;

  private constructor({ gpu, device }: Dawn) {
    this.#gpu = gpu;
    this.#device = device;
    const module = device.createShaderModule({ code: CODE });
    this.#pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
    this.#counts = device.createBuffer({ size: BYTES, usage: STORAGE | COPY_SRC });
    this.#home = device.createBuffer({ size: BYTES, usage: COPY_DST | MAP_READ });
    this.#bindings = device.createBindGroup({
      layout: this.#pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: this.#counts } }],
    });
  }

  static async open(): Promise<DawnFloor> {
    return new DawnFloor(await openDawn([]));
  }

  /** Makes a caller with this number of dispatches per submit. Each has its share of the time. */
  caller(dispatches: number): Caller {
    let more = 0;
    const call = async () => {
      const encoder = this.#device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(this.#pipeline);
      pass.setBindGroup(0, this.#bindings);
      for (let i = 0; i < dispatches; i++) pass.dispatchWorkgroups(1);
      pass.end();
      encoder.copyBufferToBuffer(this.#counts, 0, this.#home, 0, BYTES);
      this.#device.queue.submit([encoder.finish()]);
      await this.#home.mapAsync(MAP_READ);
      const ran = new Uint32Array(this.#home.getMappedRange())[0]!;
      // Compared with the previous call of any caller, because callers alternate.
      more = ran - this.#ran;
      this.#ran = ran;
      this.#home.unmap();
    };
    return {
      row: {
        backend: null,
        algorithm: null,
        peer: "dawn",
        variant: "an empty kernel, a copy and a map",
        call: dispatches === 1 ? "count" : "countAll",
        inFlight: dispatches === 1 ? undefined : dispatches,
        ...{ type: "u8", bins: 256, n: BYTES, distribution: "any", residence: "resident" as const },
      },
      bytes: BYTES,
      burst: (most, seconds) => callAgain(call, most, seconds, dispatches),
      wrong: async () => (more === dispatches ? null : `${more} dispatches ran, expected ${dispatches}`),
    };
  }

  [Symbol.dispose](): void {
    this.#device.destroy();
    // Dawn crashes if its instance is collected before the objects that it made.
    void this.#gpu;
  }
}
