import { existsSync, readFileSync } from "node:fs";
import { DAWN_FLAGS, type Dawn, openDawn, USAGE } from "./dawn.ts";
import type { ReadRow } from "./read-row.ts";

/** Numbers of 16-byte loads in flight, and of blocks per multiprocessor. */
const IN_FLIGHT = [1, 2, 4, 8];
const BLOCKS = [4, 8, 16, 32];
const THREADS = 256;
/** WebGPU does not report multiprocessors. Like the backend, this assumes those of an NVIDIA H200. */
const UNITS = 132;
/** The most bytes that one dispatch reads, and the alignment of all sizes. */
const CHUNK_BYTES = 2 ** 31;
const VECTOR_BYTES = 16;

/** The kernel: next to the program in a bundle, or in the checkout. */
const KERNEL = ["./read.wgsl", "../../src/ceilings/read.wgsl"].map((path) => new URL(path, import.meta.url));

/** Reads a device's memory with every number of loads in flight and of blocks. @throws an Error of one line */
export async function readOnWebgpu(bytes: number, rounds: number): Promise<ReadRow[]> {
  const dawn = await openDawn(DAWN_FLAGS, true);
  const { device } = dawn;
  try {
    const chunk = Math.min(
      CHUNK_BYTES,
      device.limits.maxStorageBufferBindingSize,
      device.limits.maxBufferSize,
    );
    const most = chunk - (chunk % VECTOR_BYTES);
    device.pushErrorScope("out-of-memory");
    const data = Array.from({ length: Math.ceil(bytes / most) }, (_, i) => {
      const size = Math.min(most, bytes - i * most);
      const whole = Math.max(VECTOR_BYTES, size - (size % VECTOR_BYTES));
      return device.createBuffer({ size: whole, usage: USAGE.STORAGE | USAGE.COPY_DST });
    });
    const error = await device.popErrorScope();
    if (error !== null) throw new Error(`the device has no room for ${bytes} bytes: ${error.message}`);
    const rows: ReadRow[] = [];
    for (const inFlight of IN_FLIGHT) {
      const round = await reader(dawn, data, inFlight);
      for (const blocks of BLOCKS) {
        const ms: number[] = [];
        // The first round compiles the kernel.
        for (let i = 0; i <= rounds; i++) ms.push(await round(blocks * UNITS));
        rows.push({ variant: `${inFlight} loads in flight`, blocks: blocks * UNITS, ms: ms.slice(1) });
      }
    }
    return rows;
  } finally {
    device.destroy();
  }
}

/** Makes the function that reads everything once and returns the device's milliseconds. */
async function reader({ device }: Dawn, data: readonly GPUBuffer[], inFlight: number) {
  const module = device.createShaderModule({ code: readFileSync(KERNEL.find(existsSync)!, "utf8") });
  const constants = { THREADS, IN_FLIGHT: inFlight };
  const compute = { module, constants };
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute });
  const sink = device.createBuffer({ size: VECTOR_BYTES, usage: USAGE.STORAGE });
  const groups = data.map((buffer) =>
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [buffer, sink].map((of, binding) => ({ binding, resource: { buffer: of } })),
    }),
  );
  const querySet = device.createQuerySet({ type: "timestamp", count: 2 });
  const size = 2 * BigUint64Array.BYTES_PER_ELEMENT;
  const stamps = device.createBuffer({ size, usage: USAGE.QUERY_RESOLVE | USAGE.COPY_SRC });
  const home = device.createBuffer({ size, usage: USAGE.MAP_READ | USAGE.COPY_DST });
  return async (blocks: number): Promise<number> => {
    const encoder = device.createCommandEncoder();
    const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const pass = encoder.beginComputePass({ timestampWrites });
    pass.setPipeline(pipeline);
    for (const group of groups) {
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(blocks);
    }
    pass.end();
    encoder.resolveQuerySet(querySet, 0, 2, stamps, 0);
    encoder.copyBufferToBuffer(stamps, 0, home, 0, size);
    device.queue.submit([encoder.finish()]);
    await home.mapAsync(USAGE.MAP_READ);
    const [begin, end] = new BigUint64Array(home.getMappedRange());
    home.unmap();
    // A device's clock may jump back.
    return Math.max(0, Number(end! - begin!) / 1e6);
  };
}
