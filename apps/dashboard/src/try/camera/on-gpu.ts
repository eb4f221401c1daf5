import { type Engine, openEngine } from "@polybin/core";
import { textureSamples, webgpu } from "@polybin/webgpu";
import type { FrameCounter } from "./counter.ts";

const GROUP = 8;
/**
 * Writes a frame as red, green, blue and luma of 8 bits. The luma has the integers of `greyOf` in @polybin/pictures. The
 * camera's pixels have no alpha, so its place is free.
 */
const WGSL = `
@group(0) @binding(0) var frame: texture_external;
@group(0) @binding(1) var pixels: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(${GROUP}, ${GROUP})
fn main(@builtin(global_invocation_id) at: vec3u) {
  let size = textureDimensions(pixels);
  if (at.x >= size.x || at.y >= size.y) { return; }
  let colour = vec3u(round(saturate(textureLoad(frame, at.xy).rgb) * 255.0));
  let luma = (19595u * colour.r + 38470u * colour.g + 7471u * colour.b + 32768u) >> 16u;
  textureStore(pixels, at.xy, vec4f(vec4u(colour, luma)) / 255.0);
}`;

/** Whether the page has a GPU, and whether that is a CPU that computes what a GPU would. */
export async function gpuKind(): Promise<"none" | "software" | "hardware"> {
  if (!("VideoFrame" in globalThis)) return "none";
  const probe = await webgpu().probe();
  if (!probe.available) return "none";
  return probe.software === true ? "software" : "hardware";
}

/**
 * Counts frames on the device: it imports a frame, writes its luma next to its colours, and the kernels of
 * @polybin/webgpu count the texture. Only the 1,024 counts are read back.
 * @throws if the page has no WebGPU.
 */
export async function counterOnGpu(): Promise<FrameCounter> {
  const adapter = (await navigator.gpu?.requestAdapter()) ?? null;
  if (adapter === null) throw new Error("this browser has no WebGPU adapter");
  const device = await adapter.requestDevice();
  const engine = await openEngine({ backend: webgpu({ device }) });
  const module = device.createShaderModule({ code: WGSL });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
  return { device: engine.device, ...counting(device, engine, pipeline) };
}

function counting(
  device: GPUDevice,
  engine: Engine,
  pipeline: GPUComputePipeline,
): Omit<FrameCounter, "device"> {
  let texture: GPUTexture | null = null;
  const sized = (width: number, height: number): GPUTexture => {
    if (texture?.width === width && texture.height === height) return texture;
    texture?.destroy();
    const { STORAGE_BINDING, TEXTURE_BINDING } = GPUTextureUsage;
    const usage = STORAGE_BINDING | TEXTURE_BINDING;
    texture = device.createTexture({ size: [width, height], format: "rgba8unorm", usage });
    return texture;
  };
  return {
    async count(frame) {
      try {
        if (!(frame instanceof VideoFrame))
          throw new Error("expected a browser that hands frames to its GPU");
        const pixels = sized(frame.displayWidth, frame.displayHeight);
        const group = device.createBindGroup({
          layout: pipeline.getBindGroupLayout(0),
          entries: [
            { binding: 0, resource: device.importExternalTexture({ source: frame }) },
            { binding: 1, resource: pixels.createView() },
          ],
        });
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(Math.ceil(pixels.width / GROUP), Math.ceil(pixels.height / GROUP));
        pass.end();
        device.queue.submit([encoder.finish()]);
        const found = await engine.histograms(textureSamples(pixels));
        return found.map(({ counts }) => counts);
      } finally {
        frame.close();
      }
    },
    close() {
      void engine.close().finally(() => device.destroy());
    },
  };
}
