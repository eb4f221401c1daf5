import { textureSamples } from "@polybin/webgpu";
import { CHART, LEVELS, SHOW } from "./shaders.js";

const BINS = 256;
/** Underflow, overflow and NaN follow the bins of a channel. */
const STRIDE = BINS + 3;
const CHANNELS = [0, 1, 2];
/** Bytes of LEVELS' struct. */
const LEVELS_BYTES = 24;

// WebGPU's flags by name, since Node has them only after a program made them global.
const TEXTURE = { COPY_SRC: 1, COPY_DST: 2, TEXTURE_BINDING: 4, RENDER_ATTACHMENT: 16 };
const BUFFER = { COPY_SRC: 4, COPY_DST: 8, UNIFORM: 64, STORAGE: 128 };

/**
 * A viewer with automatic contrast. Its frame, its counts and its levels stay on the device.
 * @param engine an engine on this device: `openEngine({ backend: webgpu({ device }) })`
 * @param options `size` of the frame in pixels, and `format` of the texture that it is shown on
 */
export async function createViewer(device, engine, { size, format }) {
  const frame = device.createTexture({
    size,
    format: "rgba8unorm",
    usage: TEXTURE.COPY_SRC | TEXTURE.COPY_DST | TEXTURE.TEXTURE_BINDING | TEXTURE.RENDER_ATTACHMENT,
  });
  const buffer = (bytes, usage) => device.createBuffer({ size: bytes, usage: usage | BUFFER.COPY_SRC });
  const counts = buffer(CHANNELS.length * STRIDE * 4, BUFFER.STORAGE);
  const levels = buffer(LEVELS_BYTES, BUFFER.STORAGE | BUFFER.COPY_DST);
  const wish = buffer(8, BUFFER.UNIFORM | BUFFER.COPY_DST);
  const split = buffer(4, BUFFER.UNIFORM | BUFFER.COPY_DST);

  const module = (code) => device.createShaderModule({ code });
  const drawn = (code, vertex, fragment, extra = {}) => {
    const shader = module(code);
    return device.createRenderPipelineAsync({
      layout: "auto",
      vertex: { module: shader, entryPoint: vertex, ...extra.vertex },
      fragment: { module: shader, entryPoint: fragment, targets: [{ format, ...extra.target }] },
      primitive: { topology: extra.topology ?? "triangle-list" },
    });
  };
  const constants = { stride: STRIDE };
  const add = { srcFactor: "one", dstFactor: "one" };
  const [find, show, chart] = await Promise.all([
    device.createComputePipelineAsync({ layout: "auto", compute: { module: module(LEVELS), constants } }),
    drawn(SHOW, "cover", "stretch"),
    drawn(CHART, "bar", "ink", {
      vertex: { constants },
      target: { blend: { color: add, alpha: add } },
      topology: "triangle-strip",
    }),
  ]);
  const group = (pipeline, ...resources) =>
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: resources.map((resource, binding) => ({ binding, resource })),
    });
  const of = (whole) => ({ buffer: whole });
  const groups = {
    find: group(find, of(counts), of(wish), of(levels)),
    show: group(show, frame.createView(), of(levels), of(split)),
    chart: group(chart, of(counts), of(levels)),
  };

  function draw(encoder, view, pipeline, bindings, ...calls) {
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view, clearValue: [0, 0, 0, 1], loadOp: "clear", storeOp: "store" }],
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindings);
    pass.draw(...calls);
    pass.end();
  }

  const samples = textureSamples(frame);
  const viewer = {
    /** The texture that a video, a camera or a renderer fills. */
    frame,
    counts,
    levels,
    /** The part of the samples at each end that may clip, and the part of the way to new levels that a frame goes. */
    set: ({ clip, speed }) => device.queue.writeBuffer(wish, 0, Float32Array.of(clip, speed)),
    /** The column of the frame, in pixels, to whose right the contrast is stretched. */
    splitAt: (x) => device.queue.writeBuffer(split, 0, Float32Array.of(x)),
    /** Writes the commands that count the frame and find its levels. Resolves before the event loop turns. */
    async measure(encoder, { check = false } = {}) {
      await engine.encode(encoder, samples, { channels: CHANNELS, into: counts, check });
      const pass = encoder.beginComputePass();
      pass.setPipeline(find);
      pass.setBindGroup(0, groups.find);
      pass.dispatchWorkgroups(1);
      pass.end();
    },
    show: (encoder, view) => draw(encoder, view, show, groups.show, 3),
    chart: (encoder, view) => draw(encoder, view, chart, groups.chart, 4, CHANNELS.length * BINS),
    destroy() {
      for (const one of [frame, counts, levels, wish, split]) one.destroy();
    },
  };
  viewer.set({ clip: 0.005, speed: 0.1 });
  viewer.splitAt(0);
  // The first count of a kind compiles its kernels. A frame must not wait for that.
  await viewer.measure(device.createCommandEncoder(), { check: true });
  return viewer;
}
