/** Flags for exact times. By default Dawn rounds times to 65.5 µs. */
export const DAWN_FLAGS: readonly string[] = ["disable-dawn-features=timestamp_quantization"];

/** A device of Dawn. The instance must be referenced as long as the device, because Dawn crashes without it. */
export interface Dawn {
  readonly gpu: GPU;
  readonly device: GPUDevice;
}

/** Opens Dawn's device with the adapter's limits of memory, and with its clock if `timed`. @throws an Error of one line */
export async function openDawn(flags: readonly string[], timed = false): Promise<Dawn> {
  const { create } = await import("webgpu");
  const gpu = create([...flags]);
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (adapter === null) throw new Error("Dawn found no adapter");
  if (timed && !adapter.features.has("timestamp-query"))
    throw new Error("this WebGPU device reports no times: it has no timestamp-query");
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredLimits: { maxBufferSize, maxStorageBufferBindingSize },
    requiredFeatures: timed ? ["timestamp-query"] : [],
  });
  return { gpu, device };
}

/** WebGPU's flags for the usage and mapping of buffers. */
export const USAGE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, STORAGE: 0x80, QUERY_RESOLVE: 0x200 } as const;
