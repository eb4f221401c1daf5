import { type Engine, openEngine } from "@polybin/core";
import type { CountsLayout } from "@polybin/core/backend";
import { textureSamples, webgpu } from "@polybin/webgpu";

// The viewer of docs/internals/webgpu.md: it paints a canvas, counts the canvas texture in the same frame and draws bars
// from the counts on another canvas. This version also copies the counts out for the test.

const SIZE: [number, number] = [50, 30];
const BINS = 256;
const FLOW = 3;
const FRAMES = 5;

const BARS = /* wgsl */ `
  @group(0) @binding(0) var<storage, read> counts: array<u32>;
  override bins: u32;
  override samples: f32;
  @vertex fn bar(@builtin(vertex_index) corner: u32, @builtin(instance_index) bin: u32) -> @builtin(position) vec4f {
    let x = (f32(bin) + f32(corner & 1u)) / f32(bins);
    let height = f32(counts[bin]) / samples;
    return vec4f(2.0 * x - 1.0, 2.0 * height * f32(corner >> 1u) - 1.0, 0.0, 1.0);
  }
  @fragment fn ink() -> @location(0) vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }
`;

function canvasOf(device: GPUDevice, usage: GPUTextureUsageFlags): GPUCanvasContext {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = SIZE;
  document.body.append(canvas);
  const context = canvas.getContext("webgpu")!;
  context.configure({ device, format: navigator.gpu.getPreferredCanvasFormat(), usage });
  return context;
}

/** Fills a texture, so that there is something to see, and then draws. */
function paint(
  encoder: GPUCommandEncoder,
  texture: GPUTexture,
  clearValue: GPUColor,
  draw: (pass: GPURenderPassEncoder) => void = () => {},
): void {
  const pass = encoder.beginRenderPass({
    colorAttachments: [{ view: texture.createView(), clearValue, loadOp: "clear", storeOp: "store" }],
  });
  draw(pass);
  pass.end();
}

interface Viewer {
  frame(i: number): Promise<void>;
  counts(i: number): Promise<number[]>;
  readonly layout: CountsLayout;
}

async function open(device: GPUDevice, engine: Engine): Promise<Viewer> {
  const { RENDER_ATTACHMENT, TEXTURE_BINDING } = GPUTextureUsage;
  const format = navigator.gpu.getPreferredCanvasFormat();
  const picture = canvasOf(device, RENDER_ATTACHMENT | TEXTURE_BINDING);
  const chart = canvasOf(device, RENDER_ATTACHMENT);
  const counts = device.createBuffer({
    size: 4 * (BINS + FLOW) * 4,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
  });
  const module = device.createShaderModule({ code: BARS });
  const bars = await device.createRenderPipelineAsync({
    layout: "auto",
    vertex: { module, constants: { bins: BINS, samples: SIZE[0] * SIZE[1] } },
    fragment: { module, targets: [{ format }] },
    primitive: { topology: "triangle-strip" },
  });
  const group = device.createBindGroup({
    layout: bars.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: counts } }],
  });
  // Kernels are compiled once, for textures of this shape; then a frame waits for nothing.
  const like = device.createTexture({ size: SIZE, format, usage: TEXTURE_BINDING });
  const { layout } = await engine.encode(device.createCommandEncoder(), textureSamples(like), {
    into: counts,
  });
  like.destroy();

  const seen: GPUBuffer[] = [];
  return {
    layout,
    async frame(i) {
      const encoder = device.createCommandEncoder();
      const texture = picture.getCurrentTexture();
      paint(encoder, texture, [i / 255, (100 + i) / 255, 1, 1]);
      await engine.encode(encoder, textureSamples(texture), { into: counts, check: false });
      paint(encoder, chart.getCurrentTexture(), [0, 0, 0, 1], (pass) => {
        pass.setPipeline(bars);
        pass.setBindGroup(0, group);
        pass.draw(4, BINS);
      });
      const { COPY_DST, MAP_READ } = GPUBufferUsage;
      const copy = device.createBuffer({ size: counts.size, usage: COPY_DST | MAP_READ });
      encoder.copyBufferToBuffer(counts, copy);
      device.queue.submit([encoder.finish()]);
      seen[i] = copy;
    },
    async counts(i) {
      await seen[i]!.mapAsync(GPUMapMode.READ);
      return [...new Uint32Array(seen[i]!.getMappedRange())];
    },
  };
}

async function run() {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter!.requestDevice();
  const errors: string[] = [];
  device.addEventListener("uncapturederror", ({ error }) => errors.push(error.message));
  const engine = await openEngine({ backend: webgpu({ device }) });
  const viewer = await open(device, engine);
  for (let i = 0; i < FRAMES; i++) {
    await new Promise<void>((resolve, reject) => {
      requestAnimationFrame(() => viewer.frame(i).then(resolve, reject));
    });
  }
  const frames = [];
  for (let i = 0; i < FRAMES; i++) {
    const words = await viewer.counts(i);
    // The values that occur in each channel, as [value, count].
    frames.push(
      viewer.layout.offsets.map((offset) => {
        const channel = words.slice(offset / 4, offset / 4 + BINS + FLOW);
        return channel.flatMap((count, value) => (count === 0 ? [] : [value, count]));
      }),
    );
  }
  await engine.close();
  return { frames, errors, texels: SIZE[0] * SIZE[1] };
}

Object.assign(globalThis, { outcome: run() });
