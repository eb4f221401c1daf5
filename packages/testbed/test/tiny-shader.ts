// The smallest compute shader with a result. It shows that an adapter really runs WGSL, in Node and in a page.
const WGSL = /* wgsl */ `
  @group(0) @binding(0) var<storage, read_write> sums: array<atomic<u32>>;
  @compute @workgroup_size(64)
  fn main(@builtin(global_invocation_id) id: vec3u) {
    atomicAdd(&sums[id.x % 4], id.x);
  }
`;

const INVOCATIONS = 4096;

/** The expected result of the shader: the sums of all i < 4096 with i % 4 = 0, 1, 2 and 3. */
export const TINY_ANSWER: readonly number[] = [0, 1, 2, 3].map((rest) => {
  const terms = INVOCATIONS / 4;
  return rest * terms + (4 * terms * (terms - 1)) / 2;
});

/** Runs the shader. A caller with Dawn's `create` must hold `gpu` until the end, because Dawn crashes when it is collected. */
export async function runTinyShader(gpu: GPU): Promise<{ device: string; sums: number[] }> {
  const adapter = await gpu.requestAdapter();
  if (adapter === null) throw new Error("there is no WebGPU adapter");
  const device = await adapter.requestDevice();
  try {
    return { device: adapter.info.description, sums: await sumsOn(device) };
  } finally {
    device.destroy();
  }
}

async function sumsOn(device: GPUDevice): Promise<number[]> {
  const size = 4 * TINY_ANSWER.length;
  const sums = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const copy = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const pipeline = await device.createComputePipelineAsync({
    layout: "auto",
    compute: { module: device.createShaderModule({ code: WGSL }) },
  });
  const bindings = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: sums } }],
  });
  const commands = device.createCommandEncoder();
  const pass = commands.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindings);
  pass.dispatchWorkgroups(INVOCATIONS / 64);
  pass.end();
  commands.copyBufferToBuffer(sums, 0, copy, 0, size);
  device.queue.submit([commands.finish()]);
  await copy.mapAsync(GPUMapMode.READ);
  return [...new Uint32Array(copy.getMappedRange())];
}
